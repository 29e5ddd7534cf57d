/**
 * How a publication was made and what each file contains: as a page, and as README.md for people who have the folder.
 */
import {
  contactLink,
  dateRangeText,
  longDay,
  type Publication,
  type PublicationHead,
  publicationTitleOf,
} from './facts.ts';
import { type Html, htmlDefinitionList, htmlLink, htmlPage, renderHtmlElement } from './html.ts';

/** [file, contents]; a name with an asterisk stands for several files. */
const FILES: [string, string][] = [
  ['index.html', 'the summary and all results, with links to all pages'],
  [
    'outcome-*.html, count-*.html',
    'a page for each question, with its wording, and for each population count',
  ],
  [
    'tables/index.csv',
    'which table is about what, and how many people answered, did not answer or were not asked',
  ],
  [
    'tables/outcome-*.csv',
    'for each answer: estimate, both 95% intervals (chain_low to tree_high), design effect, homophily, and which interval comes first',
  ],
  [
    'tables/count-*.csv',
    'adults, persons and households by cell, each with a 95% interval. The note of a total names the bootstrap of all intervals of the table',
  ],
  ['tables/sample.csv', 'how many people, seeds and waves'],
  ['figures/*.svg', 'a chart of each question'],
  ['strobe-rds.html', 'the STROBE-RDS checklist, with intervals, design effects and homophily (item 16)'],
  ['codebook.xml', 'questions and answers as DDI-Codebook 2.5'],
  ['methods.html, README.md', 'this description'],
];

const methods = ({ sample, smallestCell }: PublicationHead): [string, string][] => [
  [
    'Sample',
    `respondent-driven sampling. ${sample.n} people were interviewed${dateRangeText(sample)}, ${sample.seeds} of them seeds, over ${sample.waves} waves.`,
  ],
  [
    'Estimates',
    'RDS-II (Volz and Heckathorn 2008). Each answer is weighted by 1 / the number of people the person says to know; missing and 0 count as the largest number.',
  ],
  [
    'Intervals',
    '95%, from a bootstrap along the recruitment chains (CHAIN), whose classes are answer and site. It is a variant of Salganik’s bootstrap (2006) that this software’s project made and measured by simulation, and assumes that whom people recruit depends on their answer and site alone. Beside it, the tree bootstrap (TREE; Baraff, McCormick and Raftery 2016) needs no such assumption and is wider. Where the chains differ by more than CHAIN allows, TREE comes first.',
  ],
  [
    'Design effect',
    'the variance by the interval that comes first, relative to a random sample of the same size.',
  ],
  ['Homophily', '1 means that people mix at random; above 1 they know more people like themselves.'],
  [
    'Population counts',
    'a number known from another source, divided by the share of that answer in the sample. Children and households are divided by the adults who could have been interviewed (weight-share method, Lavallée 2007). All intervals of a count are by the bootstrap that comes first for the counted answer: every cell is a part of that total, and is drawn together with it. Whether recruitment depends on the cell itself is not tested cell by cell.',
  ],
  [
    'Change',
    'differences of two rounds, whose samples are independent, with intervals over the replicates of both. A change of totals is the difference of the totals as published, in whole numbers.',
  ],
  [
    'Hidden figures',
    smallestCell > 0
      ? `an answer of fewer than ${smallestCell} people is hidden, and further ones, so that none can be found by subtraction. If fewer than ${smallestCell} people answered a question, or did not, their exact number is hidden too.`
      : 'the study has set no smallest cell, so nothing is hidden.',
  ],
  [
    'Not included',
    'answers, network sizes and weights of persons. The study’s team has them, with replicate weights and an R script that repeats each figure of this publication.',
  ],
];

const REFERENCES = [
  'Baraff A, McCormick T, Raftery A (2016). Estimating uncertainty in respondent-driven sampling using a tree bootstrap method. PNAS 113.',
  'Lavallée P (2007). Indirect Sampling. Springer.',
  'Salganik M (2006). Variance estimation, design effects, and sample size calculations for respondent-driven sampling. J Urban Health 83.',
  'Volz E, Heckathorn D (2008). Probability based estimation theory for respondent driven sampling. J Off Stat 24.',
  'White R and others (2015). Strengthening the reporting of observational studies in epidemiology for respondent-driven sampling studies: “STROBE-RDS” statement. J Clin Epidemiol 68.',
];

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const authorText = ({ organization, contact, asOf }: PublicationHead): [string, string][] => [
  ...(organization ? [['Responsible', organization] as [string, string]] : []),
  ...(contact ? [['Contact', contact] as [string, string]] : []),
  ['Data as of', longDay(asOf)],
];

export function methodsPage(publication: Publication): string {
  const linked = authorText(publication).map(([term, text]): [string, (string | Html)[]] => [
    term,
    [term === 'Contact' ? htmlLink(contactLink(text), text) : text],
  ]);
  const isFile = (name: string) => !name.includes('*') && !name.includes(',');
  return htmlPage({
    title: 'Methods and files',
    head: publication,
    content: [
      htmlDefinitionList(linked),
      renderHtmlElement('h2', 'Methods'),
      htmlDefinitionList(methods(publication).map(([term, text]) => [term, [capitalized(text)]])),
      renderHtmlElement('h2', 'Files'),
      renderHtmlElement(
        'p',
        'All of them are static files. Tables are CSV in UTF-8, with a point before decimals.',
      ),
      renderHtmlElement(
        'ul',
        FILES.map(([name, what]) =>
          renderHtmlElement('li', [
            isFile(name) ? htmlLink(name, name) : renderHtmlElement('code', name),
            `: ${what}`,
          ]),
        ),
      ),
      renderHtmlElement('h2', 'Sources'),
      renderHtmlElement(
        'ul',
        REFERENCES.map((one) => renderHtmlElement('li', one)),
      ),
    ],
  });
}

export const publicationReadme = (publication: Publication): string => `# ${publicationTitleOf(publication)}

A folder of static files. Put it on any web server as it is, and open \`index.html\`.

${authorText(publication)
  .map(([term, text]) => `- **${term}**: ${text}`)
  .join('\n')}

## Files

${FILES.map(([name, what]) => `- \`${name}\`: ${what}.`).join('\n')}

## Methods

${methods(publication)
  .map(([term, text]) => `- **${term}**: ${text}`)
  .join('\n')}

## Sources

${REFERENCES.map((one) => `- ${one}`).join('\n')}
`;
