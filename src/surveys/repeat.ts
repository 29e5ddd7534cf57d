/**
 * Is this the same person? A survey that comes to count, or whose clues change, is compared with the others that count.
 * What is found stands apart from the flags of the record: only who may review the survey is told, so that nobody else
 * meets it by way of a list, a count, a file or the history.
 */
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { dayName } from '../lib/day.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { areExact, type Hashes } from './clues.ts';
import { Identities, type IdentityRecord, storedHashes, storeHashes } from './identities.ts';
import { type FlagRecord, type RepeatRecord, type SurveyRecord, Surveys } from './model.ts';

/** Of those alike so many are looked at: more share their clues by a default that nobody changed. */
const MOST_ALIKE = 200;

export const counts = ({ status, takesPart, deletedAt }: SurveyRecord): boolean =>
  status === 'COMPLETED' && takesPart !== false && !deletedAt;

interface Recognised {
  /** The flag of the survey as it is now. */
  repeat: RepeatRecord | undefined;
  /** Other clues than before. */
  isAnew: boolean;
}

/** Keeps what was sent (null: nothing), and looks for others where the survey counts now and did not, or says otherwise. */
export async function recognise(
  session: ClientSession,
  survey: SurveyRecord,
  { hashes, counted, now }: { hashes: Hashes | null; counted: boolean; now: Date },
): Promise<Recognised> {
  const { _id, repeat } = survey;
  const isAnew = hashes !== null && (await storeHashes(session, _id, hashes));
  if (!counts(survey) || (counted && !isAnew)) return { repeat, isAnew };
  const own = hashes ?? (await storedHashes(session, _id));
  if (own.length === 0) return { repeat, isAnew };
  await takeTurns(session, own);
  const found = await alike(session, own, _id);
  const isKnown = found && repeat?.survey.equals(found.survey) && repeat.strength === found.strength;
  return { repeat: found && !isKnown ? { ...found, at: now } : repeat, isAnew };
}

/**
 * Of two that are alike and come at once neither sees the other, unless both write the same record: then one begins
 * anew. Two that are alike share a hash; its first letters name the record, so that there are 4,096 of them at most.
 */
async function takeTurns(session: ClientSession, hashes: Hashes): Promise<void> {
  const names = [...new Set(hashes.map((hash) => `identity ${hash.slice(0, 2)}`))].sort();
  await mongoose.connection.collection<{ _id: string; count: number }>('locks').bulkWrite(
    names.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { count: 1 } }, upsert: true } })),
    { session },
  );
}

type Alike = Omit<RepeatRecord, 'at'>;

/** The earliest survey that counts and has all clues alike, else the earliest with all but one. */
export async function alike(
  session: ClientSession,
  hashes: Hashes,
  self: Types.ObjectId | null = null,
): Promise<Alike | null> {
  const [all] = hashes;
  if (all === undefined) return null;
  const exact = hashes.length > 1 ? await earliest(session, { hashes: all }, self, hashes) : null;
  return exact ?? (await earliest(session, { hashes: { $in: hashes } }, self));
}

async function earliest(
  session: ClientSession,
  filter: object,
  self: Types.ObjectId | null,
  exactly?: Hashes,
): Promise<Alike | null> {
  const found = await Identities.collection
    .find<IdentityRecord>({ ...filter, survey: { $ne: self as never } }, { session })
    .sort({ survey: 1 })
    .limit(MOST_ALIKE)
    .toArray();
  const meant = exactly ? found.filter((one) => areExact(one.hashes, exactly)) : found;
  if (meant.length === 0) return null;
  const [first] = await Surveys.collection
    .find<Pick<SurveyRecord, '_id' | 'heldAt' | 'location'>>(
      {
        _id: { $in: meant.map(({ survey }) => survey) },
        status: 'COMPLETED',
        takesPart: { $ne: false },
        deletedAt: null,
      },
      { session, projection: { heldAt: 1, location: 1 } },
    )
    .sort({ _id: 1 })
    .limit(1)
    .toArray();
  if (!first) return null;
  const { _id: survey, heldAt, location } = first;
  return { strength: exactly ? 'EXACT' : 'NEAR', survey, heldAt, location };
}

/** Changes of `repeat` are told as what they are to the reader: changes of the flags. */
export const REPEAT = { path: 'repeat', as: 'flags', action: 'review' } as const;

export const mayKnowRepeat = ({ ability }: Pick<Actor, 'ability'>, survey: SurveyRecord): boolean =>
  ability.can(REPEAT.action, asSubject('Survey', { ...survey }));

/** As this reader may see it: with the flag, where it has one and the reader may review it. */
export async function asKnownTo(actor: Actor, survey: SurveyRecord): Promise<SurveyRecord> {
  const { repeat, flags } = survey;
  if (!repeat || !mayKnowRepeat(actor, survey)) return survey;
  const other = await Surveys.findOne({ _id: repeat.survey }, { responses: 0 }).lean<SurveyRecord>();
  const isReadable =
    other && !other.deletedAt && actor.ability.can('read', asSubject('Survey', { ...other }));
  const flag: FlagRecord = {
    code: 'POSSIBLE_REPEAT',
    referralCode: null,
    at: repeat.at,
    strength: repeat.strength,
    other: {
      survey: isReadable ? repeat.survey : null,
      day: dayName(repeat.heldAt, actor.zone),
      location: repeat.location,
    },
  };
  return { ...survey, flags: [...flags, flag] };
}

/** As the history keeps it: not with whom. */
export const toldOf = (repeat: RepeatRecord | undefined) =>
  repeat ? { code: 'POSSIBLE_REPEAT', strength: repeat.strength, at: repeat.at } : null;
