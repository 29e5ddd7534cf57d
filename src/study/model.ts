import mongoose, { type ClientSession, Schema } from 'mongoose';
import { recordById } from '../db/batch.ts';
import { schemaOptions } from '../db/schema-options.ts';

/** The one record of its collection. */
export interface StudyRecord {
  _id: mongoose.Types.ObjectId;
  name: string;
  contact: string;
  /** In place of `contact`, by language. */
  contacts: Record<string, string>;
  couponsPerSurvey: number;
  couponValidDays: number | null;
  couponStartsAfterHours: number;
  couponText: Record<string, string>;
  languages: string[];
  targetSampleSize: number | null;
  /** The last day, by which the target should be met. */
  endsOn: string | null;
  populationSize: number | null;
  populationSizeLow: number | null;
  populationSizeHigh: number | null;
  /** A level with fewer answers is hidden from all but super-admins; 0: none is. */
  smallestCell: number;
  /** Worked out of the answers, to be estimated as questions are. */
  outcomes: {
    name: string;
    title: Record<string, string>;
    kind: 'CATEGORY' | 'NUMBER';
    expression: string;
  }[];
  /** Whether intervals are worked out at night. */
  analysisRuns: 'OFF' | 'AUTOMATIC';
  /** Whether it may be asked before an interview if someone with the same clues was here. */
  repeatCheck: boolean;
  /** Days that inform only. */
  dueFrom: string | null;
  dueTo: string | null;
  /** IANA; null: the one of the environment. */
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

/** The study as it is now; prepareDatabase made it. */
export async function study(session: ClientSession | null = null): Promise<StudyRecord> {
  const found = session
    ? await Studies.findById(STUDY_ID).session(session).lean<StudyRecord>()
    : await recordById(Studies, STUDY_ID);
  // What an earlier version stored knows nothing of later settings.
  return { ...NEW_STUDY, _id: STUDY_ID, createdAt: new Date(0), updatedAt: new Date(0), ...found };
}
