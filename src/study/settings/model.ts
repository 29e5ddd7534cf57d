import mongoose, { type ClientSession, Schema } from 'mongoose';
import type { z } from 'zod';
import { findByIdBatched } from '../../platform/db/batched-reads.ts';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { NO_INCENTIVES, type StudyIncentiveSettings } from './incentives.ts';
import { DEFAULT_CONTACT_CONSENT, DEFAULT_QUIET_HOURS, DISABLED_MESSAGE_SETTINGS } from './messages.ts';
import type { Study } from './schema.ts';

/** The only record in its collection. */
export interface StudyRecord
  extends Omit<z.infer<typeof Study>, 'incentives' | 'zone' | 'fieldKey' | 'updatedAt'>,
    StudyIncentiveSettings {
  /**
   * The formulas by which questionnaires may calculate the values that outcomes use (formulas.ts), from the versions
   * stored when the outcomes were saved.
   */
  approvedFormulas: { name: string; hash: string }[];
  _id: mongoose.Types.ObjectId;
  createdAt: Date;
  updatedAt: Date;
}

export const STUDY_ID = new mongoose.Types.ObjectId('000000000000000000000001');

export const NEW_STUDY: Omit<StudyRecord, '_id' | 'createdAt' | 'updatedAt'> = {
  name: 'Field survey',
  contact: '',
  contactTexts: {},
  organization: '',
  publicationContact: '',
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
  approvedFormulas: [],
  siteQuestion: null,
  siteSizes: [],
  interviewMode: null,
  analysisRuns: 'AUTOMATIC',
  repeatCheck: false,
  reEnrolAfterDays: null,
  statusPage: 'OFF',
  secondFactor: 'OPTIONAL',
  siteRadius: 500,
  retentionDays: null,
  deviceLock: 'OFF',
  lockAfterMinutes: 10,
  incentives: NO_INCENTIVES,
  earlierIncentives: [],
  incentiveCurrency: null,
  contacts: 'OFF',
  contactDays: 90,
  contactConsent: DEFAULT_CONTACT_CONSENT,
  messages: DISABLED_MESSAGE_SETTINGS,
  quietHours: DEFAULT_QUIET_HOURS,
  messagesPerDay: 200,
  giftCards: false,
  dueFrom: null,
  dueTo: null,
  timeZone: null,
};

const schema = new Schema<StudyRecord>(
  {
    approvedFormulas: [Schema.Types.Mixed],
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    name: String,
    contact: String,
    organization: String,
    publicationContact: String,
    endsOn: String,
    interviewMode: String,
    analysisRuns: String,
    incentiveCurrency: String,
    siteQuestion: String,
    deviceLock: String,
    contacts: String,
    secondFactor: String,
    statusPage: String,
    dueFrom: String,
    dueTo: String,
    timeZone: String,
    languages: [String],
    couponsPerSurvey: Number,
    couponValidDays: Number,
    couponStartsAfterHours: Number,
    targetSampleSize: Number,
    populationSize: Number,
    populationSizeLow: Number,
    populationSizeHigh: Number,
    smallestCell: Number,
    siteRadius: Number,
    retentionDays: Number,
    reEnrolAfterDays: Number,
    lockAfterMinutes: Number,
    contactDays: Number,
    messagesPerDay: Number,
    repeatCheck: Boolean,
    giftCards: Boolean,
    outcomes: [Schema.Types.Mixed],
    siteSizes: [Schema.Types.Mixed],
    earlierIncentives: [Schema.Types.Mixed],
    contactTexts: Schema.Types.Mixed,
    couponText: Schema.Types.Mixed,
    incentives: Schema.Types.Mixed,
    contactConsent: Schema.Types.Mixed,
    messages: Schema.Types.Mixed,
    quietHours: Schema.Types.Mixed,
  },
  schemaOptions('studies'),
);

export const StudyModel = mongoose.model<StudyRecord>('Study', schema);

/** Creates the study's record with default settings. */
export async function createStudyIfMissing(now: Date): Promise<void> {
  await StudyModel.collection.updateOne(
    { _id: STUDY_ID },
    { $setOnInsert: { ...NEW_STUDY, createdAt: now, updatedAt: now } },
    { upsert: true },
  );
}

/** The study's settings; prepareDatabase creates them. */
export async function loadStudy(session: ClientSession | null = null): Promise<StudyRecord> {
  const record = session
    ? await StudyModel.findById(STUDY_ID).session(session).lean<StudyRecord>()
    : await findByIdBatched(StudyModel, STUDY_ID);
  // Adds defaults for settings that an older version didn't store.
  return { ...NEW_STUDY, _id: STUDY_ID, createdAt: new Date(0), updatedAt: new Date(0), ...record };
}
