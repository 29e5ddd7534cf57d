import mongoose, { Schema, type Types } from 'mongoose';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import type { LevelInterval } from '../estimators/intervals.ts';
import type { SiteTable } from '../sample/by-site.ts';
import { type RunRequest, RunState } from './schema.ts';

export interface OutcomeIntervals {
  name: string;
  levels: LevelInterval[];
  /**
   * For a run of a single site: how many people gave each answer at each site. Runs of earlier versions lack it and
   * hide everything.
   */
  sites?: SiteTable;
}

export interface RunResult {
  /** The time of the data. */
  asOf: Date;
  sample: Record<string, number | null>;
  outcomes: OutcomeIntervals[];
  /** For CHAIN: `siteSettingsFingerprint` of the settings. */
  sites?: string;
  randomSeed: number;
  dataHash: string;
  version: string;
  seconds: number;
}

export interface AnalysisRunRecord {
  _id: Types.ObjectId;
  state: RunState;
  /** 0 to 1. */
  progress: number;
  request: RunRequest;
  /** The filters of the sample as one string: see `filterKeyOf`. */
  filters: string;
  /** Seed of the random numbers: the requested one, or one drawn when the run was created. */
  randomSeed: number;
  /** Null for a nightly run. */
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  finishedAt: Date | null;
  error: string | null;
  result: RunResult | null;
  /** Which process works on it, and until when its lease lasts by the database's clock. */
  holder: string | null;
  heldUntil: Date | null;
  /** How often it was started. */
  tries: number;
  /** A count uses it: it is kept as long as the count. */
  isKept: boolean;
  /** The day of a nightly run; there is one per day. */
  night?: string;
}

const schema = new Schema<AnalysisRunRecord>(
  {
    state: { type: String, enum: RunState.options, required: true },
    progress: { type: Number, required: true },
    request: { type: Schema.Types.Mixed, required: true },
    filters: { type: String, required: true },
    randomSeed: { type: Number, required: true },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
    finishedAt: Date,
    error: String,
    result: Schema.Types.Mixed,
    holder: String,
    heldUntil: Date,
    tries: { type: Number, required: true },
    isKept: { type: Boolean, required: true },
    night: String,
  },
  schemaOptions('analysisruns'),
);
schema.index({ createdAt: -1, _id: -1 });
schema.index({ state: 1, createdAt: -1, _id: -1 });
schema.index({ 'request.outcome': 1, createdAt: -1, _id: -1 });
schema.index({ createdBy: 1, state: 1 });
schema.index({ filters: 1, 'request.outcome': 1, state: 1, finishedAt: -1 });
schema.index(
  { night: 1 },
  { name: 'night_once', unique: true, partialFilterExpression: { night: { $gt: '' } } },
);

export const AnalysisRunModel = mongoose.model<AnalysisRunRecord>('AnalysisRun', schema);

type Filters = Pick<RunRequest, 'method' | 'location' | 'from' | 'to' | 'questionnaire' | 'round'>;

export const filterKeyOf = ({ method, location, from, to, questionnaire, round }: Filters): string =>
  JSON.stringify([method, location, from, to, questionnaire, round]);

/** A job done once for each day of the study, with the last day it was done for. */
export interface DailyJobRecord {
  _id: string;
  day: string;
}

const jobs = new Schema<DailyJobRecord>(
  {
    _id: String,
    day: { type: String, required: true },
  },
  schemaOptions('jobs'),
);

export const JobModel = mongoose.model<DailyJobRecord>('Job', jobs);
