/** MANY_DECLINED: an interviewer with far more people who decline or are not eligible than all other interviewers. */
import {
  type InterviewColumnStore,
  NOT_TAKING_PART_BIT,
} from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalTimeOf, type Finding, isCompletedNotRejected, newFinding, roundTo } from '../finding.ts';
import { CHECK_THRESHOLDS, MIN_INTERVIEWS_TO_COMPARE } from '../rules.ts';
import { rowsInArrivalOrder } from './in-order-of-arrival.ts';

const { z: Z } = CHECK_THRESHOLDS.MANY_DECLINED;

interface Counts {
  all: number;
  declined: number;
}

interface Person extends Counts {
  /** Since when too many have declined; null if not the case as of the latest interview. */
  since: number | null;
  last: number;
}

export function findManyDeclinedInterviews({ interviews }: StudyTable): Finding[] {
  const byVersion = interviews.version.values.map((): number[] => []);
  for (const row of rowsInArrivalOrder(interviews, (one) => isCompletedNotRejected(interviews, one)))
    byVersion[interviews.version.codes[row]!]!.push(row);
  return byVersion.flatMap((rows, version) =>
    rows.length < MIN_INTERVIEWS_TO_COMPARE.ofQuestionnaire
      ? []
      : findManyDeclinedAmong(interviews, rows, interviews.version.values[version]!),
  );
}

/** `rows`: interviews with one questionnaire, in order of arrival. */
function findManyDeclinedAmong(interviews: InterviewColumnStore, rows: number[], version: string): Finding[] {
  const { interviewer } = interviews;
  const people = new Map<number, Person>();
  const total: Counts = { all: 0, declined: 0 };
  for (const row of rows) {
    const code = interviewer.codes[row]!;
    const person = people.get(code) ?? { all: 0, declined: 0, since: null, last: row };
    people.set(code, person);
    for (const counts of [person, total]) {
      counts.all++;
      if (interviews.is(row, NOT_TAKING_PART_BIT)) counts.declined++;
    }
    person.last = row;
    person.since = zOf(person, total) > Z ? (person.since ?? arrivalTimeOf(interviews, row)) : null;
  }
  return [...people].flatMap(([code, person]) => {
    const z = zOf(person, total);
    if (z <= Z) return [];
    const [who, location] = [interviewer.values[code]!, interviews.site.valueOf(person.last)];
    const facts = {
      check: 'MANY_DECLINED',
      value: roundTo(shareOf(person), 2),
      expected: roundTo(shareOf(others(person, total)), 2),
      at: person.since ?? arrivalTimeOf(interviews, person.last),
      times: z / Z,
    } as const;
    return [newFinding({ ...facts, survey: null, interviewer: who, location }, `${who} ${version}`)];
  });
}

const shareOf = ({ all, declined }: Counts) => declined / all;
const others = (person: Counts, total: Counts): Counts => ({
  all: total.all - person.all,
  declined: total.declined - person.declined,
});

/** The z statistic of the difference between two shares; 0 if there are too few interviews to compare. */
function zOf(person: Counts, total: Counts): number {
  const rest = others(person, total);
  if (
    total.all < MIN_INTERVIEWS_TO_COMPARE.ofQuestionnaire ||
    person.all < MIN_INTERVIEWS_TO_COMPARE.ofInterviewer ||
    rest.all === 0
  )
    return 0;
  const share = shareOf(total);
  const variance = share * (1 - share) * (1 / person.all + 1 / rest.all);
  return variance === 0 ? 0 : (shareOf(person) - shareOf(rest)) / Math.sqrt(variance);
}
