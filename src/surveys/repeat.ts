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
import { COUNTS, countsNow, NOT_DELETED } from './counting.ts';
import { Identities, type IdentityRecord, storedHashes, storeHashes } from './identities.ts';
import { type FlagRecord, type RepeatRecord, type SurveyRecord, Surveys } from './model.ts';

/** Of those alike so many are looked at: more share their clues by a default that nobody changed. */
const MOST_ALIKE = 200;

interface Recognising {
  hashes: Hashes | null;
  /** It counted before. */
  counted: boolean;
  /** It was completed before: other clues are a change of it, of which there may be few. */
  isFinal?: boolean;
  now: Date;
}

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
  { hashes, counted, isFinal = false, now }: Recognising,
): Promise<Recognised> {
  const { _id, repeat } = survey;
  const isAnew = hashes !== null && (await storeHashes(session, _id, hashes, { isChange: isFinal }));
  if (!countsNow(survey) || (counted && !isAnew)) return { repeat, isAnew };
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

/**
 * The earliest survey that counts and has all clues alike, else the earliest with all but one. The same queries in any
 * case: how long an answer takes must not tell whether somebody was found.
 */
export async function alike(
  session: ClientSession,
  hashes: Hashes,
  self: Types.ObjectId | null = null,
): Promise<Alike | null> {
  const [all] = hashes;
  if (all === undefined) return null;
  const sharing = await identitiesWith(session, all, self);
  const exact = sharing.filter((one) => areExact(one.hashes, hashes)).map(({ survey }) => survey);
  const near = (await identitiesWith(session, { $in: hashes }, self)).map(({ survey }) => survey);
  const counting = await countingOf(session, [...exact, ...near]);
  const isExact = (one: Counting) => exact.some((id) => id.equals(one._id));
  const first = counting.find(isExact) ?? counting[0];
  if (!first) return null;
  const { _id: survey, createdAt, heldAt = createdAt, location } = first;
  return { strength: isExact(first) ? 'EXACT' : 'NEAR', survey, heldAt, location };
}

const identitiesWith = (session: ClientSession, hashes: unknown, self: Types.ObjectId | null) =>
  Identities.collection
    .find<IdentityRecord>({ hashes, survey: { $ne: self } } as never, { session })
    .sort({ survey: 1 })
    .limit(MOST_ALIKE)
    .toArray();

type Counting = Pick<SurveyRecord, '_id' | 'heldAt' | 'createdAt' | 'location'>;

const countingOf = (session: ClientSession, ids: Types.ObjectId[]) =>
  Surveys.collection
    .find<Counting>(
      { _id: { $in: ids }, ...COUNTS, ...NOT_DELETED },
      { session, projection: { heldAt: 1, createdAt: 1, location: 1 } },
    )
    .sort({ _id: 1 })
    .toArray();

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
