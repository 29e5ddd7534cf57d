/** README.md of the bundle: the study and date of the sample, its rules, and any irregularities. */
import { isoDateAt } from '../platform/lib/day.ts';
import type { StudySample } from '../statistics/sample/load.ts';
import { rowsStartedBeforeRecruiter } from './sample/checked-sample.ts';
import type { SampleExportQuery } from './schema.ts';

export interface ReadmeInput {
  window: SampleExportQuery;
  zone: string;
  /** The name of the site that the sample is limited to. */
  site: string | null;
  /** Whether incentives.csv is in the bundle. */
  pays: boolean;
  /** Whether cells.csv is in the bundle. */
  hasCells: boolean;
}

const INCENTIVES = `- \`incentives.csv\`: what people are owed and were paid, a row for each incentive, by \`survey_id\`. Its references and
  reasons are free text: check them before you share the file.
`;

const CELLS = `- \`cells.csv\`: what the tables of persons and households are made of: \`household_adults\`, the adults of the household who
  could have taken part, the person included; \`household_children\`, \`household_children_under_6\`; \`household_first\`, 1 for the
  first one interviewed of a household; then the cell of each table that the person is in (\`age\`, \`gender\`, \`race\`,
  \`veteran\`, \`chronic\`). Each respondent stands for 1 / \`household_adults\` of the household and of its children.
`;

export function* readme(sample: StudySample, waves: number, request: ReadmeInput): Generator<string> {
  const { study, asOf, ids, recruiters } = sample;
  const seeds = recruiters.reduce((count, recruiter) => count + (recruiter < 0 ? 1 : 0), 0);
  yield `# ${study.name}

The sample as of ${asOf.toISOString()} (${isoDateAt(asOf, request.zone)} in the time zone ${request.zone}).

| | |
| --- | --- |
| people | ${ids.length} |
| seeds | ${seeds}, ${sample.orphans} of them with a recruiter outside the sample |
| waves beyond the seeds | ${waves} |
| network size missing / 0 | ${sample.sizeMissing} / ${sample.sizeZero} |
| population size, as set for the study | ${populationOf(sample)} |
${narrowedBy(request)}
## Who is in it

- Completed interviews with eligible people, without deleted or rejected interviews.
- A person whose recruiter is not in the sample counts as a seed, and waves are counted from there.
- A network size is the number as answered, and empty if it is missing. For estimates, a missing size or 0 is replaced by
  the largest size in the sample.
- Rows are in order of start time. For someone who started before their recruiter, the recruiter's start time is used
  instead. These interviews are listed below.
- The outcomes are the questions of every questionnaire version that the interviews were held with. An answer is empty too
  if the person's version didn't ask the question${notAsked(sample)}
- "Refused" and "don't know" count as missing answers. In \`rds.csv\` a missing answer is an empty cell (\`NA\` is an
  answer that someone gave). In \`rdsat.txt\` it is the value named in the second line.
- No file here contains coupon codes, names, phone numbers or answers to identity questions. The coupons in
  \`rdsat.txt\` are made up from ids.

## The files

- \`rds.csv\`: \`id\`; \`recruiter.id\`, "seed" if there is none; \`network.size\`; \`wave\`, 0 for a seed; \`seed\`, the first
  person of the chain; \`time\`, when the interview started (UTC); \`max.coupons\`, the number of coupons the person got;
  then the outcomes. A question with several answers has one column per choice, with 1 if it was chosen. \`location\` is
  the site's id.
- \`rdsat.txt\`: the same for the program RDSAT and for \`read.rdsat\` of R's package RDS.
- \`tree.graphml\`, \`tree.dot\`: who recruited whom, for programs that draw and measure networks.
- \`weights.csv\`: \`rds_ii_weight\` of each interview, \`ss_weight\` if the study has a population size (no smaller
  than the sample), and the replicate weights \`rep_1\`, \`rep_2\`, ... of the tree bootstrap. With R's package survey:
  \`svrepdesign(data = merge(rds, weights, by = "id"), weights = ~rds_ii_weight, repweights = "^rep_[0-9]+$",
  type = "other", combined.weights = TRUE, scale = 1 / (R - 1), rscales = rep(1, R))\`, where R is the number of replicates.
  A sample of more than 100,000 interviews has no replicate weights.
- \`chain.R\`: the replicate weights of CHAIN, the narrow interval. Its classes depend on the answer, so that each answer has weights of its own, which R draws:
  \`source("chain.R"); design <- chain.design("OUTCOME", "LEVEL"); survey::svymean(~y, design, na.rm = TRUE)\` gives the estimate and its
  standard error, and \`chain.interval("OUTCOME", "LEVEL")\` the 95% interval too, as published except for random numbers. Other statistics of such
  a design, such as \`svyglm\` with \`y\` as the response, are right as far as whom people recruit depends on that answer and the site alone.
  \`Rscript chain.R OUTCOME LEVEL\` writes the weights to \`chain-weights.csv\`.
- \`estimates.csv\`: the service's RDS-II estimate of each outcome, with the standard error and 95% confidence interval of
  the tree bootstrap, from these replicates if there are any.
- \`codebook.csv\`: what the columns of \`rds.csv\` and their codes mean, and how many people answered (\`answered\`),
  gave no answer (\`missing\`) or were not asked, because their version doesn't have the question (\`not_asked\`).
${request.hasCells ? CELLS : ''}${request.pays ? INCENTIVES : ''}- \`study.R\`: RDS-II with intervals, with the package survey or in plain R, next to the service's own; and all estimates with the packages RDS and sspse.
  Run \`Rscript study.R\` in this folder, or \`Rscript study.R OUTCOME\` for a single outcome. It needs no package. Unzip the study's
  publication into a folder \`publication\` beside it, and the script repeats each published figure and says which differ: estimates, both
  intervals, design effects, homophily, and the persons, households and cells of population counts.
- \`rds.sps\`, \`rds.do\`: read \`rds.csv\` into SPSS or Stata, with labels and missing values.
- \`interviews.sps\`, \`interviews.do\`: the same for \`interviews.csv\`, which is a download of its own. Use the same site and
  dates for it.
${workedOut(sample)}
## Starts before the recruiter's

`;
  let none = true;
  for (const { id, deviceTime, adjustedTime } of rowsStartedBeforeRecruiter(sample)) {
    none = false;
    yield `- ${id}: ${deviceTime.toISOString()} by the device, taken as ${adjustedTime.toISOString()}\n`;
  }
  if (none) yield 'None.\n';
}

function populationOf({ study }: StudySample): string {
  const { populationSize, populationSizeLow: low, populationSizeHigh: high } = study;
  if (populationSize === null) return 'not set';
  return low === null && high === null
    ? String(populationSize)
    : `${populationSize} (${low ?? '-'} to ${high ?? '-'})`;
}

function narrowedBy({ window: { from, to, questionnaire }, site }: ReadmeInput): string {
  const lines = [
    site === null ? '' : `- only interviews at ${site}`,
    from === undefined ? '' : `- only interviews received from ${from}`,
    to === undefined ? '' : `- only interviews received up to and including ${to}`,
    questionnaire === undefined ? '' : `- only answers to the questionnaire ${questionnaire}`,
  ].filter((line) => line !== '');
  return lines.length === 0 ? '' : `\nNot the whole study:\n\n${lines.join('\n')}\n`;
}

function notAsked({ outcomes }: StudySample): string {
  const some = outcomes.filter((one) => one.notAsked > 0);
  if (some.length === 0) return ': no one here.';
  return `:\n${some.map((one) => `  - \`${one.name}\`: ${one.notAsked} people`).join('\n')}`;
}

function workedOut({ study, outcomes }: StudySample): string {
  const lines = study.outcomes.flatMap((own) =>
    own.fromQuestionnaire !== true && outcomes.some(({ name }) => name === own.name)
      ? [`- \`${own.name}\`: \`${own.expression}\``]
      : [],
  );
  if (lines.length === 0) return '';
  return `\nCalculated from the answers (SurveyJS expressions):\n\n${lines.join('\n')}\n`;
}
