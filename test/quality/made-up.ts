/** Small tables for the checks: interviews that differ only in what a test sets. */
import mongoose from 'mongoose';
import type { Finding } from '../../src/board/quality/finding.ts';
import { type FindingsTableArgs, findAllFindings } from '../../src/board/quality/findings.ts';
import type { QualityCheckCode } from '../../src/interviews/surveys/checks.ts';
import type { SurveyRecord } from '../../src/interviews/surveys/model.ts';
import type { RepeatParticipation } from '../../src/statistics/study-table/interviews.ts';
import { StudyTable } from '../../src/statistics/study-table/table.ts';
import type { QuestionnaireVersion } from '../../src/statistics/study-table/versions.ts';
import { NO_INCENTIVES } from '../../src/study/settings/incentives.ts';

const { ObjectId } = mongoose.Types;
export const MINUTE = 60_000;
export const NOON = new Date('2026-06-01T12:00:00Z').getTime();
export const SITE = new ObjectId();
export const ANA = new ObjectId();
export const BEN = new ObjectId();
const QUESTIONNAIRE = new ObjectId();
/** Questions asked of all participants. */
const ASKED = Array.from({ length: 10 }, (_, at) => `q${at}`);

const VERSION = {
  id: String(QUESTIONNAIRE),
  askedKeys: ASKED,
  countables: new Map(),
} as unknown as QuestionnaireVersion;

/** What the table reads of a stored interview. */
type Interview = Pick<
  SurveyRecord,
  | '_id'
  | 'recruiter'
  | 'seed'
  | 'wave'
  | 'location'
  | 'createdBy'
  | 'questionnaire'
  | 'heldAt'
  | 'startedAt'
  | 'completedAt'
  | 'createdAt'
  | 'status'
  | 'takesPart'
  | 'deletedAt'
  | 'networkSize'
  | 'issuedCodes'
  | 'responses'
  | 'flags'
  | 'coordinates'
> & { review?: { state: string }; repeat?: RepeatParticipation };

export interface InterviewOptions extends Partial<Interview> {
  minutes?: number;
  skipped?: number;
  /** Start in minutes after noon; the interview arrives when it ends. */
  start?: number;
}

export function madeUp({
  minutes = 20,
  skipped = 0,
  start = 0,
  ...fields
}: InterviewOptions = {}): Interview {
  const startedAt = fields.startedAt ?? new Date(NOON + start * MINUTE);
  const completedAt = new Date(startedAt.getTime() + minutes * MINUTE);
  return {
    _id: new ObjectId(),
    recruiter: null,
    seed: null,
    wave: null,
    location: SITE,
    createdBy: ANA,
    questionnaire: QUESTIONNAIRE,
    heldAt: startedAt,
    startedAt,
    completedAt,
    createdAt: completedAt,
    status: 'COMPLETED',
    deletedAt: null,
    networkSize: 12,
    responses: Object.fromEntries(ASKED.slice(skipped).map((key) => [key, 'yes'])),
    flags: [],
    coordinates: null,
    issuedCodes: [],
    ...fields,
  };
}

/** Interviews without findings. */
export const honest = (count: number, fields: InterviewOptions = {}): Interview[] =>
  Array.from({ length: count }, (_, at) => madeUp({ start: 30 * at, networkSize: 7 + (at % 7), ...fields }));

export function tableOf(interviews: Interview[]): StudyTable {
  const table = new StudyTable({ interviews: 10, coupons: 10, seeds: 10 });
  for (const one of interviews) putInterview(table, one);
  return table;
}

export function putInterview(table: StudyTable, interview: Interview): void {
  table.versions.add({ ...VERSION, id: interview.questionnaire.toHexString() });
  void table.interviews.put(
    Buffer.from(mongoose.mongo.BSON.serialize(interview, { ignoreUndefined: true })),
    0,
  );
}

export const ARGS: FindingsTableArgs = {
  siteRadius: 500,
  sites: [],
  mayReview: [],
  mayRead: null,
  incentives: { incentives: NO_INCENTIVES, earlierIncentives: [], incentiveCurrency: null },
};

export function findingsOf(
  interviews: Interview[],
  check?: QualityCheckCode,
  args: Partial<FindingsTableArgs> = {},
): Finding[] {
  const all = findAllFindings(tableOf(interviews), { ...ARGS, ...args });
  return check ? all.filter((one) => one.check === check) : all;
}
