/** Small tables for the checks: interviews that differ only in what a test sets. */
import mongoose from 'mongoose';
import type { Finding } from '../../src/board/quality/finding.ts';
import { type FindingsArgs, findAll } from '../../src/board/quality/findings.ts';
import type { QualityCheckCode } from '../../src/interviews/surveys/checks.ts';
import type { InterviewFields } from '../../src/statistics/study-table/interviews.ts';
import { StudyTable } from '../../src/statistics/study-table/table.ts';
import type { Version } from '../../src/statistics/study-table/versions.ts';
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

export const VERSION = {
  id: String(QUESTIONNAIRE),
  askedKeys: ASKED,
  countables: new Map(),
} as unknown as Version;

export interface InterviewOptions extends Partial<InterviewFields> {
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
}: InterviewOptions = {}): InterviewFields {
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
    responses: Buffer.from(
      mongoose.mongo.BSON.serialize(Object.fromEntries(ASKED.slice(skipped).map((key) => [key, 'yes']))),
    ),
    flags: [],
    coordinates: null,
    issued: 0,
    ...fields,
  };
}

/** Interviews without findings. */
export const honest = (count: number, fields: InterviewOptions = {}): InterviewFields[] =>
  Array.from({ length: count }, (_, at) => madeUp({ start: 30 * at, networkSize: 7 + (at % 7), ...fields }));

export function tableOf(interviews: InterviewFields[]): StudyTable {
  const table = new StudyTable({ interviews: 10, coupons: 10, seeds: 10 });
  for (const one of interviews) table.interviews.put(one, VERSION);
  return table;
}

export const ARGS: FindingsArgs = {
  siteRadius: 500,
  sites: [],
  mayReview: [],
  mayRead: null,
  incentives: { incentives: NO_INCENTIVES, earlierIncentives: [], incentiveCurrency: null },
};

export function findingsOf(
  interviews: InterviewFields[],
  check?: QualityCheckCode,
  args: Partial<FindingsArgs> = {},
): Finding[] {
  const all = findAll(tableOf(interviews), { ...ARGS, ...args });
  return check ? all.filter((one) => one.check === check) : all;
}
