/** SIZE_ODD: network sizes of 0 or far too large, and interviewers whose sizes are round numbers. */
import type { InterviewColumnStore } from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalTimeOf, type Finding, isInSample, newFinding, roundTo, surveyFinding } from '../finding.ts';
import { CHECK_THRESHOLDS, MIN_INTERVIEWS_TO_COMPARE } from '../rules.ts';
import { comparableInterviews } from './comparable.ts';
import { rowsInArrivalOrder } from './in-order-of-arrival.ts';

const { times: TIMES, percentile, least: LEAST, share: SHARE } = CHECK_THRESHOLDS.SIZE_ODD;
const check = 'SIZE_ODD';
/** The severity of a size of 0, which would get infinite weight in the estimates. */
const ZERO_SIZE_SEVERITY = 5;

export const findOddSizes = ({ interviews }: StudyTable): Finding[] => [
  ...findSizesBeyond(interviews),
  ...roundSizes(interviews),
];

/** `expected` is the largest plausible size, even if the size is 0. */
function findSizesBeyond(interviews: InterviewColumnStore): Finding[] {
  const { networkSize } = interviews;
  const mostOf = new Map<number, number>();
  const findings = comparableInterviews(interviews, (row) => networkSize[row]!).flatMap(
    ({ rows, quantile, since }) => {
      const max = TIMES * quantile(percentile);
      mostOf.set(interviews.version.codes[rows[0]!]!, max);
      return rows
        .filter((row) => networkSize[row]! > max)
        .map((row) => {
          const value = networkSize[row]!;
          const at = Math.max(arrivalTimeOf(interviews, row), since);
          return surveyFinding(interviews, row, { check, value, expected: max, at, times: value / max });
        });
    },
  );
  for (let row = 0; row < interviews.size; row++) {
    if (networkSize[row] !== 0 || !isInSample(interviews, row)) continue;
    const expected = mostOf.get(interviews.version.codes[row]!) ?? null;
    const at = arrivalTimeOf(interviews, row);
    findings.push(
      surveyFinding(interviews, row, { check, value: 0, expected, at, times: ZERO_SIZE_SEVERITY }),
    );
  }
  return findings;
}

interface Sizes {
  all: number;
  round: number;
  /** Since when too many sizes have been round; null if not the case. */
  since: number | null;
  last: number;
}

function roundSizes(interviews: InterviewColumnStore): Finding[] {
  const { networkSize, interviewer } = interviews;
  const people = interviewer.values.map((): Sizes => ({ all: 0, round: 0, since: null, last: -1 }));
  const isLarge = (row: number) => isInSample(interviews, row) && networkSize[row]! >= LEAST;
  for (const row of rowsInArrivalOrder(interviews, isLarge)) {
    const person = people[interviewer.codes[row]!]!;
    person.all++;
    if (networkSize[row]! % 5 === 0) person.round++;
    person.last = row;
    const isRound =
      person.all >= MIN_INTERVIEWS_TO_COMPARE.ofInterviewer && person.round / person.all > SHARE;
    person.since = isRound ? (person.since ?? arrivalTimeOf(interviews, row)) : null;
  }
  return people.flatMap(({ all, round, since, last }) => {
    if (since === null) return [];
    const [who, location] = [interviewer.valueOf(last), interviews.site.valueOf(last)];
    const share = round / all;
    const facts = { check, value: roundTo(share, 2), expected: SHARE, at: since } as const;
    const times = (1 - SHARE) / (1 - share);
    return [newFinding({ ...facts, times, survey: null, interviewer: who, location }, who)];
  });
}
