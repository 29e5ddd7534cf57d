/** What the dashboard is measured on besides the study of data.ts: one chain of thousands, and an administrator. */
import { randomUUID } from 'node:crypto';
import mongoose, { type Types } from 'mongoose';
import { generateCode } from '../src/coupons/referral-codes/code.ts';
import { EXAMPLE_RESPONSES } from '../test/example-responses.ts';
import type { Study } from './data.ts';

const { ObjectId } = mongoose.Types;
type Interview = Record<string, unknown>;
const DAY = 86_400_000;
const NIGHT_PLACES = ['vehicle', 'tent', 'shelter', 'outside', 'friends'];

/** The same numbers give the same chain. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** How many each brings: most nobody or one, few three, somewhat more than one on average. */
const recruitsOf = (roll: number): number => (roll < 0.28 ? 0 : roll < 0.62 ? 1 : roll < 0.86 ? 2 : 3);

const code = () => generateCode((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));

/** Those that its recruits brought, and further ones up to three. */
function codesOf({ _id }: Interview, all: Interview[]): string[] {
  const recruitedCodes = all
    .filter(({ recruiter }) => recruiter === _id)
    .map(({ referralCode }) => String(referralCode));
  return [...recruitedCodes, ...Array.from({ length: 3 - recruitedCodes.length }, code)];
}

function codeRecords(
  { _id, recruiter, seed, wave, location, referralCode, issuedCodes, createdAt }: Interview,
  all: Interview[],
): object[] {
  const empty = {
    seed: null,
    survey: null,
    reservedBy: null,
    batch: null,
    redeemedBy: null,
    redeemedAt: null,
  };
  const rest = { validFrom: null, expiresAt: null, voidedAt: null, voidReason: null, createdAt };
  const issued = (issuedCodes as string[]).map((one) => {
    const by = all.find((survey) => survey.referralCode === one);
    const redemption = by
      ? { state: 'USED', redeemedBy: by._id, redeemedAt: by.createdAt }
      : { state: 'LIVE' };
    const origin = { survey: _id, chain: seed, wave, location };
    return { ...empty, ...rest, _id: new ObjectId(), code: one, ...origin, ...redemption };
  });
  if (recruiter) return issued;
  const own = { code: referralCode, seed, state: 'USED', redeemedBy: _id, redeemedAt: createdAt };
  return [{ ...empty, ...rest, _id: new ObjectId(), ...own }, ...issued];
}

/** One seed whose chain has this many interviews; its id. */
export async function writeChain(
  db: mongoose.mongo.Db,
  study: Study,
  size: number,
  now: Date,
): Promise<string> {
  const roll = dice(7);
  const questionnaire = (await db.collection('questionnaires').findOne({ active: true }))?._id;
  const seed = new ObjectId();
  const surveys: Interview[] = [];
  const queue: { _id: Types.ObjectId; wave: number; at: number }[] = [];
  const begin = now.getTime() - 100 * DAY;
  const add = (recruiter: Types.ObjectId | null, wave: number, at: number) => {
    const _id = new ObjectId();
    const createdAt = new Date(Math.min(at, now.getTime()));
    const one = Math.floor(roll() * study.sites.length);
    surveys.push({
      _id,
      clientId: randomUUID(),
      referralCode: code(),
      seed,
      recruiter,
      wave,
      issuedCodes: [],
      questionnaire,
      responses: {
        ...EXAMPLE_RESPONSES,
        sleptLastNight: NIGHT_PLACES[Math.floor(roll() * NIGHT_PLACES.length)],
      },
      networkSize: 12,
      status: 'COMPLETED',
      flags: [],
      coordinates: null,
      location: study.sites[one],
      createdBy: study.volunteers[0],
      startedAt: createdAt,
      completedAt: createdAt,
      heldAt: createdAt,
      createdAt,
      updatedAt: createdAt,
      version: 1,
      requestHash: randomUUID().padEnd(44, '='),
      deletedAt: null,
    });
    queue.push({ _id, wave, at });
  };
  add(null, 0, begin);
  for (let next = queue.shift(); next && surveys.length < size; next = queue.shift()) {
    // A chain that would end too soon goes on.
    const many = Math.max(recruitsOf(roll()), queue.length < 4 ? 2 : 0);
    for (let n = 0; n < many && surveys.length < size; n++) {
      add(next._id, next.wave + 1, next.at + (1 + roll() * 8) * DAY);
    }
  }
  for (const survey of surveys) survey.issuedCodes = codesOf(survey, surveys);
  await db.collection('surveys').insertMany(surveys);
  await db.collection('referralcodes').insertMany(surveys.flatMap((survey) => codeRecords(survey, surveys)));
  await db.collection('seeds').insertOne({
    _id: seed,
    referralCode: surveys[0]?.referralCode,
    kind: 'PLANNED',
    location: study.sites[0],
    note: 'the largest chain',
    survey: surveys[0]?._id,
    createdBy: study.superAdmin,
    createdAt: new Date(begin),
    deletedAt: null,
  });
  return String(seed);
}
