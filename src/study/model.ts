import mongoose, { type ClientSession, Schema } from 'mongoose';
import { findByIdBatched } from '../db/batched-reads.ts';
import { schemaOptions } from '../db/schema-options.ts';
import { type HasIncentives, NO_INCENTIVES } from './incentives.ts';

/** The only record of its collection. */
export interface StudyRecord extends HasIncentives {
  _id: mongoose.Types.ObjectId;
  name: string;
  contact: string;
  /** By language, instead of `contact`. */
  contacts: Record<string, string>;
  couponsPerSurvey: number;
  couponValidDays: number | null;
  couponStartsAfterHours: number;
  couponText: Record<string, string>;
  languages: string[];
  targetSampleSize: number | null;
  /** The day by which the target should be met. */
  endsOn: string | null;
  populationSize: number | null;
  populationSizeLow: number | null;
  populationSizeHigh: number | null;
  /** A level with fewer answers is hidden from everyone but super-admins; 0: nothing is hidden. */
  smallestCell: number;
  /** Calculated from the answers; estimated like questions. */
  outcomes: {
    name: string;
    title: Record<string, string>;
    kind: 'CATEGORY' | 'NUMBER';
    expression: string;
  }[];
  /** Whether confidence intervals are calculated at night. */
  analysisRuns: 'OFF' | 'AUTOMATIC';
  /** Whether interviewers may check before an interview if someone with the same identity answers was here. */
  repeatCheck: boolean;
  /** In metres: interviews are held within it around their site. */
  siteRadius: number;
  /** So many days after `endsOn` all answers are erased; null: never. */
  retentionDays: number | null;
  /** For information only. */
  dueFrom: string | null;
  dueTo: string | null;
  /** IANA name; null: the environment's. */
  timeZone: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const STUDY_ID = new mongoose.Types.ObjectId('000000000000000000000001');

export const NEW_STUDY: Omit<StudyRecord, '_id' | 'createdAt' | 'updatedAt'> = {
  name: 'Field survey',
  contact: '',
  contacts: {},
  couponsPerSurvey: 3,
  couponValidDays: null,
  couponStartsAfterHours: 0,
  couponText: {
    en: 'You are invited to take part. Bring this coupon to one of our sites.',
    es: 'Le invitamos a participar. Traiga este cupón a uno de nuestros sitios.',
  },
  languages: ['en', 'es'],
  targetSampleSize: null,
  endsOn: null,
  populationSize: null,
  populationSizeLow: null,
  populationSizeHigh: null,
  smallestCell: 5,
  outcomes: [],
  analysisRuns: 'AUTOMATIC',
  repeatCheck: false,
  siteRadius: 500,
  retentionDays: null,
  incentives: NO_INCENTIVES,
  earlierIncentives: [],
  incentiveCurrency: null,
  dueFrom: null,
  dueTo: null,
  timeZone: null,
};

const schema = new Schema<StudyRecord>(
  {
    name: String,
    contact: String,
    contacts: Schema.Types.Mixed,
    couponsPerSurvey: Number,
    couponValidDays: Number,
    couponStartsAfterHours: Number,
    couponText: Schema.Types.Mixed,
    languages: [String],
    targetSampleSize: Number,
    endsOn: String,
    populationSize: Number,
    populationSizeLow: Number,
    populationSizeHigh: Number,
    smallestCell: Number,
    outcomes: [Schema.Types.Mixed],
    analysisRuns: String,
    repeatCheck: Boolean,
    siteRadius: Number,
    retentionDays: Number,
    incentives: Schema.Types.Mixed,
    earlierIncentives: [Schema.Types.Mixed],
    incentiveCurrency: String,
    dueFrom: String,
    dueTo: String,
    timeZone: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { ...schemaOptions, collection: 'studies' },
);

declare module '../rights/ability.ts' {
  interface Records {
    Study: StudyRecord;
  }
}

export const Studies = mongoose.model<StudyRecord>('Study', schema);

/** The study's settings; prepareDatabase creates them. */
export async function loadStudy(session: ClientSession | null = null): Promise<StudyRecord> {
  const found = session
    ? await Studies.findById(STUDY_ID).session(session).lean<StudyRecord>()
    : await findByIdBatched(Studies, STUDY_ID);
  // Add defaults, because an earlier version stored no later settings.
  return { ...NEW_STUDY, _id: STUDY_ID, createdAt: new Date(0), updatedAt: new Date(0), ...found };
}
