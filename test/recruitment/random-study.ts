/** A random study of a few hundred interviews, written directly into the database. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import type { World } from '../people.ts';

const { ObjectId } = mongoose.Types;
type Id = mongoose.Types.ObjectId;
type Doc = Record<string, unknown> & { _id: Id };
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Code extends Doc {
  code: string;
  state: string;
  survey: Id | null;
  seed: Id | null;
  batch: Id | null;
  redeemedAt: Date | null;
  returnedAt?: Date;
  expiresAt: Date | null;
  createdAt: Date;
}

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
export function chance(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Wish {
  now: Date;
  days: number;
  surveys: number;
  /** How long coupons are valid; null without end. */
  validDays: number | null;
}

export async function writeRandomStudy(world: World, random: () => number, request: Wish): Promise<void> {
  const pick = <T>(from: T[]): T => from[Math.floor(random() * from.length)] as T;
  const sites = await Promise.all([1, 2, 3, 4].map(() => world.place()));
  const authors = await Promise.all([1, 2].map(() => world.person({ role: 'VOLUNTEER' })));
  let number = 0;
  const code = (at: Date, fields: Partial<Code>): Code => ({
    _id: new ObjectId(),
    code: `R${String(number++).padStart(7, '0')}`,
    state: 'LIVE',
    seed: null,
    survey: null,
    reservedBy: null,
    batch: null,
    redeemedBy: null,
    redeemedAt: null,
    validFrom: null,
    expiresAt: null,
    voidedAt: null,
    voidReason: null,
    createdAt: at,
    ...fields,
  });
  const codes: Code[] = [];
  const seeds: Doc[] = [];
  const surveys: Doc[] = [];
  const byId = new Map<string, Doc>();
  const newSeed = (at: Date, kind: string, location: Id): Code => {
    const _id = new ObjectId();
    const newCode = code(at, { seed: _id });
    codes.push(newCode);
    const seed = {
      _id,
      referralCode: newCode.code,
      kind,
      location,
      round: FIRST_ROUND_ID,
      note: null,
      survey: null,
      createdBy: null,
    };
    seeds.push({ ...seed, createdAt: at, deletedAt: null });
    return newCode;
  };
  const start = request.now.getTime() - request.days * DAY;
  const step = (request.days * DAY) / request.surveys;
  for (let i = 0; i < 30; i++) newSeed(new Date(start - DAY), 'PLANNED', new ObjectId(pick(sites)));
  for (let i = 0; i < 40; i++)
    codes.push(code(new Date(start), { state: 'RESERVED', reservedBy: new ObjectId() }));

  for (let i = 0; i < request.surveys; i++) {
    const at = new Date(start + i * step + random() * step);
    // The first site gets no more returns, so that it has an alert.
    const location = new ObjectId(pick(i % 3 === 0 ? sites : sites.slice(1)));
    const good = codes.filter((one) => one.state === 'LIVE' && !(one.expiresAt && one.expiresAt <= at));
    const fresh = good.filter((one) => String(byId.get(String(one.survey))?.location) !== sites[0]);
    const freshCode = random() < 0.9 && fresh.length > 0 ? pick(fresh) : null;
    const lost = !freshCode && random() < 0.2;
    const redeemedCode = freshCode ?? (lost ? null : newSeed(at, 'WALK_IN', location));
    const recruiter = redeemedCode?.survey ? byId.get(String(redeemedCode.survey)) : undefined;
    const _id = new ObjectId();
    // An offline interview arrives days later; and some clocks are wrong.
    const late = random() < 0.25 ? random() * 6 * DAY : 0;
    const createdAt = new Date(Math.min(request.now.getTime(), at.getTime() + late));
    const clock = random() < 0.03 ? pick(['yearsBehind', 'backwards']) : 'right';
    const startedAt = new Date(clock === 'yearsBehind' ? at.getTime() - 900 * DAY : at);
    const endedAt = new Date(startedAt.getTime() + (clock === 'backwards' ? -HOUR : random() * HOUR));
    const heldAt = clock === 'right' ? startedAt : createdAt;
    const completed = random() < 0.9;
    const takesPart = !completed || random() < 0.92;
    const mine =
      completed && takesPart
        ? Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
            const printed = random() < 0.1;
            const until =
              request.validDays && random() < 0.9 ? new Date(at.getTime() + request.validDays * DAY) : null;
            const issuedAt = new Date(printed ? start : createdAt);
            return code(issuedAt, {
              survey: _id,
              expiresAt: until,
              ...(printed ? { batch: new ObjectId() } : {}),
            });
          })
        : [];
    const flags = [];
    if (lost) flags.push({ code: 'REFERRAL_CODE_USED', referralCode: pick(codes).code, at });
    if (random() < 0.03) flags.push({ code: 'SECOND_COPY', referralCode: null, at });
    const survey: Doc = {
      _id,
      clientId: randomUUID(),
      referralCode: redeemedCode?.code ?? null,
      seed: redeemedCode ? (redeemedCode.seed ?? recruiter?.seed ?? null) : null,
      recruiter: recruiter?._id ?? null,
      wave: redeemedCode ? (recruiter ? Number(recruiter.wave) + 1 : 0) : null,
      issuedCodes: mine.map((one) => one.code),
      questionnaire: new ObjectId(),
      responses: {
        networkSize: Math.floor(random() * 30),
        housing: pick(['street', 'shelter', 'own words']),
      },
      networkSize: 5,
      status: completed ? 'COMPLETED' : 'IN_PROGRESS',
      ...(takesPart ? {} : { takesPart: false }),
      flags,
      ...(completed && i % 9 === 0
        ? { review: { state: 'REJECTED', by: new ObjectId(), at: createdAt } }
        : {}),
      ...(completed && i % 9 === 1
        ? { review: { state: 'APPROVED', by: new ObjectId(), at: createdAt } }
        : {}),
      ...(completed && i % 9 === 2
        ? { review: { state: 'HAS_ISSUES', by: new ObjectId(), at: createdAt } }
        : {}),
      coordinates: null,
      location,
      round: FIRST_ROUND_ID,
      createdBy: new ObjectId(pick(authors).id),
      startedAt,
      completedAt: completed || clock === 'backwards' ? endedAt : null,
      heldAt,
      createdAt,
      updatedAt: createdAt,
      version: 1,
      requestHash: randomUUID(),
      deletedAt: random() < 0.06 ? request.now : null,
    };
    if (redeemedCode)
      Object.assign(redeemedCode, {
        state: 'USED',
        redeemedBy: _id,
        redeemedAt: createdAt,
        returnedAt: heldAt,
      });
    const seed = redeemedCode?.seed
      ? seeds.find((one) => one._id.equals(redeemedCode.seed as Id))
      : undefined;
    if (seed) seed.survey = _id;
    for (const one of mine) if (random() < 0.05) one.state = 'VOID';
    codes.push(...mine);
    surveys.push(survey);
    byId.set(String(_id), survey);
  }
  for (const one of codes) {
    const survey = byId.get(String(one.survey));
    if (survey) Object.assign(one, placeOf(one, survey));
  }
  await mongoose.connection.collection('referralcodes').insertMany(codes);
  await mongoose.connection.collection('seeds').insertMany(seeds);
  await mongoose.connection.collection('surveys').insertMany(surveys);
}

/** What a code stores about the interview that handed it out, and about its return. */
function placeOf(
  code: Code,
  { seed, wave, location, startedAt, completedAt, heldAt, createdAt }: Doc,
): object {
  const ended = (heldAt === startedAt ? (completedAt ?? createdAt) : createdAt) as Date;
  const handedOutAt = code.batch && ended > code.createdAt ? ended : code.createdAt;
  const { returnedAt } = code;
  const out = returnedAt ? Math.floor((returnedAt.getTime() - handedOutAt.getTime()) / DAY) : null;
  return {
    location,
    handedOutAt,
    ...(seed ? { chain: seed, wave } : {}),
    ...(out === null ? {} : { daysOut: Math.max(0, out) }),
  };
}
