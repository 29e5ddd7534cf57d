/** The text output of `npm run coverage-study`. */
import { ESTIMATE_WARNING_CODES } from '../../src/statistics/results/warning-codes.ts';
import { table } from '../command.ts';
import { CHANGE_INTERVALS, type ChangeFindings } from './changes.ts';
import { DESIGNS } from './designs.ts';
import { type HouseholdFindings, TABLE_INTERVALS } from './households.ts';
import { ESTIMATES, type Findings, INTERVALS, type StudySize } from './study.ts';

const percent = (share: number) => (100 * share).toFixed(1);
const signed = (share: number) => `${share < 0 ? '' : '+'}${percent(share)}`;
/** The network of a file comes after those of this project. */
const numberOf = ({ design }: Pick<Findings, 'design'>) =>
  DESIGNS.findIndex(({ name }) => name === design.name) + 1 || DESIGNS.length + 1;
const numbered = (one: Pick<Findings, 'design'>) => `${numberOf(one)} ${one.design.name}`;

export function formatFindings(findings: Findings[], { samples, replicates, randomSeed }: StudySize): string {
  const populations = findings.map((one) => [
    numbered(one),
    String(one.design.people),
    percent(one.truth.share),
    one.truth.meanSizeOfGroup.toFixed(1),
    one.truth.meanSize.toFixed(1),
    one.truth.homophily.toFixed(2),
    one.waves.toFixed(1),
    one.chains.toFixed(1),
  ]);
  const estimates = findings.map((one) => [
    numbered(one),
    ...Object.values(one.estimates).map(({ bias, deviation }) => `${signed(bias)} ±${percent(deviation)}`),
  ]);
  const intervals = findings.map((one) => [
    numbered(one),
    ...Object.values(one.intervals).map(({ covers, width, without }) =>
      without === one.samples ? '-' : `${percent(covers)} (${percent(width)})`,
    ),
    percent(one.treeFirst / one.samples),
  ]);
  const without = findings.flatMap((one) =>
    [
      ...Object.entries(one.estimates).map(([name, { without: count }]) => ({
        name: ESTIMATES[name as keyof typeof ESTIMATES],
        count,
      })),
      ...Object.entries(one.intervals).map(([name, { without: count }]) => ({
        name: `interval ${INTERVALS[name as keyof typeof INTERVALS]}`,
        count,
      })),
    ]
      .filter(({ count }) => count > 0 && count < one.samples)
      .map(({ name, count }) => `${numbered(one)}: ${count} samples have no ${name}.`),
  );
  return [
    `${samples} samples of each design, ${replicates} replicates of each bootstrap, random seed ${randomSeed}`,
    '',
    'Populations, waves of the samples, and their chains weighted by size',
    table(
      ['design', 'people', 'group %', 'they know', 'all know', 'homophily', 'waves', 'chains'],
      populations,
      '',
    ),
    '',
    'Estimate minus true value, in percentage points, ± its standard deviation from sample to sample',
    table(['design', ...Object.values(ESTIMATES)], estimates, ''),
    '',
    'Percent of 95% intervals that contain the true value (width in percentage points), and of samples in which TREE comes first',
    table(['design', ...Object.values(INTERVALS), 'TREE first'], intervals, ''),
    ...(without.length > 0 ? ['', ...without] : []),
    '',
    'Percent of samples that show each warning',
    ...formatWarnings(findings),
  ].join('\n');
}

function formatWarnings(findings: Findings[]): string[] {
  const often = ESTIMATE_WARNING_CODES.filter((code) => findings.some(({ warnings }) => warnings[code] > 0));
  const never = ESTIMATE_WARNING_CODES.filter((code) => !often.includes(code));
  const rows = often.map((code) => [
    code,
    ...findings.map((one) => ((100 * one.warnings[code]) / one.samples).toFixed(0)),
  ]);
  return [
    table(['warning', ...findings.map((one) => String(numberOf(one)))], rows, ''),
    ...(never.length > 0 ? ['', `In none: ${never.join(', ')}`] : []),
  ];
}

export function formatChanges(
  findings: ChangeFindings[],
  { samples, replicates, randomSeed }: StudySize,
): string {
  const rows = findings.flatMap((one) =>
    one.rises.map(({ truth, intervals }) => [
      numbered(one),
      signed(truth),
      ...Object.values(intervals).map(({ covers, width, without }) =>
        without === one.samples ? '-' : `${percent(covers)} (${percent(width)})`,
      ),
      percent(intervals.rule.rises),
      intervals.standardised.without === one.samples ? '-' : percent(intervals.standardised.rises),
    ]),
  );
  const shown = ['rule: rose', 'standardized: rose'];
  return [
    `${samples} pairs of samples of each change, ${replicates} replicates of each bootstrap, random seed ${randomSeed}`,
    'Percent of 95% intervals that contain the true change (width in percentage points), and of those that show a rise',
    '',
    table(['design', 'change', ...Object.values(CHANGE_INTERVALS), ...shown], rows, ''),
  ].join('\n');
}

export function formatHouseholds(
  findings: HouseholdFindings[],
  { samples, replicates, randomSeed }: StudySize,
): string {
  const names = findings[0]?.figures.map(({ name }) => name) ?? [];
  const covering = (name: keyof typeof TABLE_INTERVALS) =>
    findings.map((one) => [
      numbered(one),
      ...one.figures.map(({ intervals: { [name]: interval } }) => {
        const { covers, width } = interval;
        return `${percent(covers)} (${Number.isFinite(width) ? (100 * width).toFixed(0) : 'open'})`;
      }),
    ]);
  return [
    `${samples} samples of each design, ${replicates} replicates of each bootstrap, random seed ${randomSeed}`,
    '',
    'Mean estimate in percent of the true value, children if each parent brought them whole, and percent of samples in which TREE comes first',
    table(
      ['design', ...names, 'children whole', 'TREE first'],
      findings.map((one) => [
        numbered(one),
        ...one.figures.map(({ mean, truth }) => percent(mean / truth)),
        percent(one.undividedChildren),
        percent(one.treeFirst / one.samples),
      ]),
      '',
    ),
    ...(Object.keys(TABLE_INTERVALS) as (keyof typeof TABLE_INTERVALS)[]).flatMap((name) => [
      '',
      `Percent of 95% intervals of ${TABLE_INTERVALS[name]} that contain the true value (median width in percent of it)`,
      table(['design', ...names], covering(name), ''),
    ]),
  ].join('\n');
}
