/** npm run coverage-study: measures how often intervals contain the true value, in simulated populations. */

import { WARNINGS, type WarningCode } from '../src/statistics/results/warning-codes.ts';
import { define, examples, progress, run, setAction, table, wholeNumber, withJson } from './command.ts';
import { HOUSEHOLD_DESIGNS, type HouseholdFindings, householdStudyOf } from './coverage-study/households.ts';
import {
  DESIGNS,
  type Design,
  ESTIMATES,
  type Findings,
  INTERVALS,
  type StudySize,
  studyOf,
} from './coverage-study/study.ts';
import { WARNING_DESIGNS, type WarningFindings, warningStudyOf } from './coverage-study/warnings.ts';

interface Options extends StudySize {
  design?: number;
  warnings?: boolean;
  households?: boolean;
}

const program = define(
  'coverage-study',
  "Draw many RDS samples from simulated populations and print each estimator's error and how often each interval contains the true value. Needs no database.",
)
  .option('--samples <number>', 'samples per design', wholeNumber(2, 100_000), 500)
  .option('--replicates <number>', 'bootstrap replicates', wholeNumber(2, 20_000), 1000)
  .option('--random-seed <number>', 'the same seed gives the same numbers', wholeNumber(0, 999_999_999), 1)
  .option('--design <number>', 'only this design', wholeNumber(1, DESIGNS.length))
  .option('--warnings', 'print how often each warning appears instead, for five other designs')
  .option(
    '--households',
    'print the totals and cells of counts instead, in populations with known households',
  );
examples(
  withJson(program),
  'coverage-study',
  'coverage-study -- --design 3 --samples 100',
  'coverage-study -- --warnings --samples 200',
);

setAction<Options>(
  program,
  async ({ design, warnings, households, ...extent }) => {
    const designsToRun = <T>(designs: T[]) =>
      designs.filter((_, at) => design === undefined || at + 1 === design);
    if (warnings) {
      const findings = each(designsToRun(WARNING_DESIGNS), extent, warningStudyOf);
      return { text: formatWarnings(findings, extent), json: findings };
    }
    if (households) {
      const findings = each(designsToRun(HOUSEHOLD_DESIGNS), extent, householdStudyOf);
      return { text: formatHouseholds(findings, extent), json: findings };
    }
    const findings = each(designsToRun(DESIGNS), extent, studyOf);
    return { text: formatFindings(findings, extent), json: findings };
  },
  {
    raw: true,
    check: ({ design = 1, warnings, households }) => {
      const most = warnings ? WARNING_DESIGNS.length : households ? HOUSEHOLD_DESIGNS.length : DESIGNS.length;
      return design > most ? [`Only designs 1 to ${most} are available with this option.`] : [];
    },
  },
);

function each<T>(
  designs: Design[],
  extent: StudySize,
  study: (design: Design, extent: StudySize, step: () => void) => T,
): T[] {
  const bar = progress('Samples');
  let done = 0;
  const total = designs.length * extent.samples;
  const findings: T[] = [];
  for (const one of designs) findings.push(study(one, extent, () => bar.step(++done, total)));
  bar.end();
  return findings;
}

const percent = (share: number) => (100 * share).toFixed(1);
const signed = (share: number) => `${share < 0 ? '' : '+'}${percent(share)}`;

function formatFindings(findings: Findings[], { samples, replicates, randomSeed }: StudySize): string {
  const numbered = ({ design }: Findings) =>
    `${DESIGNS.findIndex(({ name }) => name === design.name) + 1} ${design.name}`;
  const populations = findings.map((one) => [
    numbered(one),
    String(one.design.people),
    percent(one.truth.share),
    one.truth.meanSizeOfGroup.toFixed(1),
    one.truth.meanSize.toFixed(1),
    one.truth.homophily.toFixed(2),
    one.waves.toFixed(1),
  ]);
  const estimates = findings.map((one) => [
    numbered(one),
    ...Object.values(one.estimates).map(({ bias, deviation }) => `${signed(bias)} ±${percent(deviation)}`),
  ]);
  const intervals = findings.map((one) => [
    numbered(one),
    ...one.intervals.map(({ covers, width }) => `${percent(covers)} (${percent(width)})`),
  ]);
  const without = findings.flatMap((one) =>
    [
      ...Object.entries(one.estimates).map(([name, { without: count }]) => ({
        name: ESTIMATES[name as keyof typeof ESTIMATES],
        count,
      })),
      ...one.intervals.map(({ name, without: count }) => ({ name: `interval ${name}`, count })),
    ]
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => `${numbered(one)}: ${count} samples have no ${name}.`),
  );
  return [
    `${samples} samples of each design, ${replicates} replicates of each bootstrap, random seed ${randomSeed}`,
    '',
    'Populations, and waves of the samples',
    table(['design', 'people', 'group %', 'they know', 'all know', 'homophily', 'waves'], populations, ''),
    '',
    'Estimate minus true value, in percentage points, ± its standard deviation from sample to sample',
    table(['design', ...Object.values(ESTIMATES)], estimates, ''),
    '',
    'Percent of 95% intervals that contain the true value (width in percentage points)',
    table(['design', ...INTERVALS.map(({ name }) => name)], intervals, ''),
    ...(without.length > 0 ? ['', ...without] : []),
  ].join('\n');
}

function formatWarnings(findings: WarningFindings[], { samples, replicates, randomSeed }: StudySize): string {
  const [often, never] = [true, false].map((isOften) =>
    WARNINGS.filter((code) => findings.some(({ raised }) => raised[code] > 0) === isOften),
  ) as [WarningCode[], WarningCode[]];
  const number = ({ design }: WarningFindings) => WARNING_DESIGNS.indexOf(design) + 1;
  return [
    `${samples} samples of each design, ${replicates} replicates of the tree bootstrap, random seed ${randomSeed}`,
    '',
    ...findings.map((one) => `${number(one)} ${one.design.name}`),
    '',
    'Percent of samples that show each warning',
    table(
      ['warning', ...findings.map((one) => String(number(one)))],
      often.map((code) => [code, ...findings.map((one) => percent(one.raised[code] / one.samples))]),
      '',
    ),
    ...(never.length > 0 ? ['', `In none: ${never.join(', ')}`] : []),
  ].join('\n');
}

function formatHouseholds(found: HouseholdFindings[], { samples, replicates, randomSeed }: Extent): string {
  const covering = ({ covers, width }: { covers: number; width: number }) =>
    `${percent(covers)} (${Number.isFinite(width) ? percent(width) : 'open'})`;
  return [
    `${samples} samples of each design, ${replicates} replicates of each bootstrap, random seed ${randomSeed}`,
    'Percent of 95% intervals that contain the true value (width in percent of it)',
    ...found.flatMap(({ design, figures, undividedChildren }) => [
      '',
      design.name,
      table(
        ['figure', 'truth', 'mean estimate', 'CHAIN', 'tree'],
        figures.map(({ name, truth, mean, chain, tree }) => [
          name,
          String(truth),
          mean.toFixed(0),
          covering(chain),
          covering(tree),
        ]),
        '',
      ),
      `Children, if each parent brought them whole: ${undividedChildren.toFixed(0)}`,
    ]),
  ].join('\n');
}

await run(program);
