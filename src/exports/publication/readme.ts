/** README.md of a publication: its files and methods. */
import { type Publication, titleOf } from './facts.ts';

export const publicationReadme = (publication: Publication): string => `# ${titleOf(publication)}

A folder of static files, as of ${publication.asOf}. Put it on any web server as it is, and open \`index.html\`.

## Files

- \`index.html\`: all results. One page for each question and each population count, with the wording of the question.
- \`tables/*.csv\`: the same figures (\`index.csv\`: which table is of what, and how many answered). \`figures/*.svg\`: the charts.
- \`strobe-rds.html\`: the items of the STROBE-RDS checklist (White and others 2015), with intervals, design effects and
  homophily (item 16).
- \`codebook.xml\`: the questions and answers as DDI-Codebook 2.5.

Answers, network sizes and weights of persons are not in it.

## Methods

- **Sample**: respondent-driven sampling. ${publication.sample.n} people were interviewed, ${publication.sample.seeds} of them seeds, over ${publication.sample.waves} waves.
- **Estimates**: RDS-II (Volz and Heckathorn 2008). Each answer is weighted by 1 / the number of people the person says to know;
  missing and 0 count as the largest number.
- **Intervals**: 95%, from a bootstrap along the recruitment chains (CHAIN), whose classes are answer and site. It is a variant of
  Salganik's bootstrap (2006) that this software's project made and measured by simulation, and assumes that whom people recruit depends on
  their answer and site alone. Beside it the tree bootstrap (TREE; Baraff, McCormick and Raftery 2016) needs no such assumption and is wider. Where
  the chains differ by more than CHAIN allows, TREE comes first.
- **Design effect**: the variance by the interval that comes first, relative to a random sample of the same size. **Homophily**:
  1 means that people mix at random; above 1 they know more people like themselves.
- **Population counts**: a number known from another source, divided by the share of that answer in the sample. Children and
  households are divided by the adults who could have been interviewed (weight-share method, Lavallée 2007).
- **Hidden figures**: ${
  publication.smallestCell > 0
    ? `an answer of fewer than ${publication.smallestCell} people is hidden, and further ones, so that none can be found by subtraction.`
    : 'the study has set no smallest cell, so nothing is hidden.'
}

## Sources

- Baraff A, McCormick T, Raftery A (2016). Estimating uncertainty in respondent-driven sampling using a tree bootstrap method. PNAS 113.
- Lavallée P (2007). Indirect Sampling. Springer.
- Salganik M (2006). Variance estimation, design effects, and sample size calculations for respondent-driven sampling. J Urban Health 83.
- Volz E, Heckathorn D (2008). Probability based estimation theory for respondent driven sampling. J Off Stat 24.
- White R and others (2015). Strengthening the reporting of observational studies in epidemiology for respondent-driven sampling studies:
  "STROBE-RDS" statement. J Clin Epidemiol 68.
`;
