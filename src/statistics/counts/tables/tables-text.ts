/** How the tables of a count were made, as text for a report. */
import type { PopulationCountRecord } from '../model.ts';
import type { CountTables } from './schema.ts';

const people = (figure: number) => Math.round(figure).toLocaleString('en-US');

type Range = CountTables['totals']['adults'];
type Bounds = Pick<NonNullable<Range>, 'low' | 'high'>;

function sentence(range: Range, what: string, other: Bounds | null, method: string): string[] {
  if (range?.estimate == null) return [];
  const isOpen = ({ low, high }: Bounds) => low === null && high === null;
  const ends = isOpen(range) ? '' : ` (95% CI: ${boundsText(range)})`;
  const second = !other || isOpen(other) ? '' : ` By ${method}: ${boundsText(other)}.`;
  return [`About ${people(range.estimate)} ${what}${ends}.${second}`];
}

const boundsText = ({ low, high }: Bounds) =>
  `${low === null ? 'no lower bound' : people(low)} to ${high === null ? 'no upper bound' : people(high)}`;

const OTHER = {
  CHAIN: 'CHAIN, if whom people recruit depended on their answer and site alone',
  TREE: 'the tree bootstrap, which does not assume that',
};

export function describeCountTables(
  count: Pick<
    PopulationCountRecord,
    'name' | 'asOf' | 'definition' | 'source' | 'known' | 'knownLow' | 'knownHigh'
  >,
  { totals, other, method, notes }: Omit<CountTables, 'text'>,
  { n, known: answerCount, smallest }: { n: number; known: number; smallest: number },
): string {
  const range =
    count.knownLow === null && count.knownHigh === null
      ? ''
      : ` (between ${people(count.knownLow ?? count.known)} and ${people(count.knownHigh ?? count.known)})`;
  const otherName = other ? OTHER[other.method] : '';
  const results = [
    ...sentence(totals.adults, 'adults', other?.adults ?? null, otherName),
    ...sentence(
      totals.persons,
      'persons, the children who stay with adults included',
      other?.persons ?? null,
      otherName,
    ),
    ...sentence(totals.households, 'households', other?.households ?? null, otherName),
  ];
  // The number of people who didn't answer may be a small cell.
  const isFew = n > answerCount && n - answerCount < smallest;
  const answered = isFew
    ? `those of ${people(n)} respondents who answered (all but a few)`
    : `${people(answerCount)} of ${people(n)} respondents`;
  const hasHouseholds = totals.households !== null;
  return [
    `${count.name}, as of ${count.asOf}. Definition: ${count.definition}`,
    results.length > 0 ? results.join(' ') : notes.map(({ message }) => message).join(' '),
    `Formula: the number of adults is M / q, where M = ${people(count.known)}${range} adults have the answer that another source counted (${count.source}), and q is the share of that answer among ${answered}, by RDS-II. A cell of adults is that number times the RDS-II share of the cell.`,
    ...(hasHouseholds
      ? [
          'Each respondent stands for the adults of the household who could have been interviewed: children and households are divided by the number of these adults (weight-share method, Lavallée 2007), so that the children of two adults count once. A household whose adults are in different cells counts in parts.',
        ]
      : []),
    `Assumptions: the other source counted adults, each once, in the same place and time as the question means; people reported truthfully how many people they know${hasHouseholds ? ' and how many adults and children stay together' : ''}; respondents who did not answer a question are like those who did; no child stays without an adult, so children and young people on their own must come from another source.`,
    ...(method === null
      ? []
      : [
          `Each interval is the middle 95% of the cell across ${method === 'CHAIN' ? 'replicates drawn along the recruitment chains (CHAIN, classes of answer and site)' : 'tree bootstrap replicates'}, with M, q and the cell’s share from the same replicate. All are by the bootstrap that comes first for the counted answer, because every cell is a part of that total; whether recruitment depends on the cell is not tested cell by cell. No end is below the people interviewed or above the total. A cell with nobody in the sample is 0, with an upper end of 3 × design effect / n of the total’s upper end. Cells are rounded so that they add up to the total; ends of intervals don’t add up.`,
        ]),
    ...notes
      .filter(({ code }) => ['BELOW_SAMPLE', 'NO_HOUSEHOLDS'].includes(code))
      .map(({ message }) => message),
  ].join('\n\n');
}
