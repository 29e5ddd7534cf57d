import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { createBatchedReader } from '../../platform/db/batched-reads.ts';
import { schemaOptions } from '../../platform/db/schema-options.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { loadStudy, type StudyRecord } from '../settings/model.ts';

/** Fields that an open round takes from the study, and a closed round keeps. */
const STUDY_FIELDS = [
  'endsOn',
  'targetSampleSize',
  'populationSize',
  'populationSizeLow',
  'populationSizeHigh',
] as const;

type StudyFields = Pick<StudyRecord, (typeof STUDY_FIELDS)[number]>;

export const pickRoundFields = (from: StudyFields): StudyFields =>
  Object.fromEntries(STUDY_FIELDS.map((name) => [name, from[name]])) as unknown as StudyFields;

/** One sample of the study, with chains of its own. */
export interface RoundRecord extends StudyFields {
  _id: Types.ObjectId;
  name: string;
  startsOn: string;
  state: 'OPEN' | 'CLOSED';
  openedAt: Date;
  closedAt: Date | null;
  closedBy: Types.ObjectId | null;
  /** All settings of the study at closing; null while it is open. */
  settings: Record<string, unknown> | null;
  createdAt: Date;
}

/** The id of every database's first round, so that several processes can create it at once. */
export const FIRST_ROUND_ID = new mongoose.Types.ObjectId('000000000000000000000001');

const schema = new Schema<RoundRecord>(
  {
    name: { type: String, required: true },
    startsOn: { type: String, required: true },
    state: { type: String, enum: ['OPEN', 'CLOSED'], required: true },
    openedAt: { type: Date, required: true },
    closedAt: Date,
    closedBy: { type: Schema.Types.ObjectId, ref: 'User' },
    settings: Schema.Types.Mixed,
    createdAt: { type: Date, required: true },
    endsOn: String,
    targetSampleSize: Number,
    populationSize: Number,
    populationSizeLow: Number,
    populationSizeHigh: Number,
  },
  schemaOptions('rounds'),
);
schema.index(
  { state: 1 },
  { name: 'one_open_round', unique: true, partialFilterExpression: { state: 'OPEN' } },
);
schema.index({ createdAt: -1, _id: -1 });
schema.index({ openedAt: 1 });

export const RoundModel = mongoose.model<RoundRecord>('Round', schema);

/** Creates the open round that a new database starts with. `timeZone` is used if the study has none. */
export async function ensureFirstRound(now: Date, timeZone = 'UTC'): Promise<void> {
  const study = await loadStudy();
  const first = {
    name: 'Round 1',
    startsOn: isoDateAt(now, study.timeZone ?? timeZone),
    ...pickRoundFields(study),
    ...{ state: 'OPEN', openedAt: now, closedAt: null, closedBy: null, settings: null, createdAt: now },
  } as const;
  await RoundModel.collection.updateOne({ _id: FIRST_ROUND_ID }, { $setOnInsert: first }, { upsert: true });
}

/** Without the settings of closed rounds, which are large. */
export type RoundWithoutSettings = Omit<RoundRecord, 'settings'>;
const LIGHT = { settings: 0 } as const;
/** A filter that matches all rounds and uses an index. */
const ALL = { openedAt: { $gt: new Date(0) } };

const readAll = createBatchedReader<string, RoundWithoutSettings[]>({
  collection: () => RoundModel.collection,
  filter: () => ALL,
  projection: LIGHT,
  keysOfRecord: () => [],
  isList: true,
});

/** All rounds, oldest first: current, or as the transaction sees them. */
export async function loadRounds(session: ClientSession | null = null): Promise<RoundWithoutSettings[]> {
  const rounds = session
    ? await RoundModel.find(ALL, LIGHT).session(session).lean<RoundWithoutSettings[]>()
    : ((await readAll('all')) ?? []);
  return rounds.toSorted((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
}

/** The open round; 409 if there is none. */
export async function requireOpenRound(session: ClientSession | null = null): Promise<RoundWithoutSettings> {
  const open = (await loadRounds(session)).find(({ state }) => state === 'OPEN');
  if (!open) throw problem('NO_ROUND');
  return open;
}
