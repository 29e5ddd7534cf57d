/** Helpers for tests of routes: people of each role at one site, and checks of error responses. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import type { Response } from 'supertest';
import { ANSWERS, type Body, makeSeed, smallQuestionnaire } from '../make.ts';
import { type Person, startWorld, type Verbs, type World } from '../people.ts';

export const HEX_ID = /^[0-9a-f]{24}$/;
export const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const CODE = /^[0-9A-HJKMNP-TV-Z]{8}$/;
export const NOBODY = '0123456789abcdef01234567';
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Cast {
  world: World;
  /** The site of all these people. */
  site: string;
  root: Person;
  admin: Person;
  manager: Person;
  volunteer: Person;
}

export async function startCast(): Promise<Cast> {
  const world = await startWorld();
  const site = await world.place();
  await smallQuestionnaire(world);
  return { world, ...(await people(world, site)) };
}

/** The people of a test file, created before its first test. */
export function castOfFile(): Cast {
  const cast = {} as Cast;
  beforeAll(async () => {
    Object.assign(cast, await startCast());
  });
  afterAll(() => cast.world.stop());
  return cast;
}

export const collection = (name: string) => mongoose.connection.collection(name);
export const oid = (id: string) => new mongoose.Types.ObjectId(id);

/** New people, whose records have the clock's time, or that of `since`. */
export async function people(world: World, site: string, since?: Date) {
  const of = { location: site, ...(since && { createdAt: since }) };
  return {
    site,
    root: await world.person({ role: 'SUPER_ADMIN', ...of }),
    admin: await world.person({ role: 'ADMIN', ...of }),
    manager: await world.person({ role: 'MANAGER', ...of }),
    volunteer: await world.person({ role: 'VOLUNTEER', ...of }),
  };
}

/** As if the study, its questionnaires and everyone's accounts had existed for long: no interview is too early for them. */
export async function makeStudyOld(createdAt = new Date('2020-01-01T12:00:00Z')): Promise<void> {
  for (const name of ['users', 'questionnaires', 'studies'])
    await collection(name).updateMany({}, { $set: { createdAt } });
}

/** A valid body for POST /api/surveys. */
export function draft(cast: Cast, fields: Record<string, unknown> = {}) {
  return { location: cast.site, responses: ANSWERS, ...fields };
}

/** Submits a survey as the volunteer and returns the stored one. */
export async function submit(cast: Cast, fields: Record<string, unknown> = {}, by: Person = cast.volunteer) {
  const answer = await by.post('/api/surveys', draft(cast, fields));
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as Body;
}

export async function read(cast: Cast, id: string): Promise<Body> {
  return (await cast.root.get(`/api/surveys/${id}`).expect(200)).body;
}

export async function seedCode(cast: Cast): Promise<string> {
  return (await makeSeed(cast.world, cast.admin, { location: cast.site })).referralCode;
}

export async function reserve(by: Verbs, count: number): Promise<string[]> {
  return (await by.post('/api/referral-codes/blocks', { count }).expect(201)).body.codes;
}

export async function reasonOf(cast: Cast, code: string): Promise<string | null> {
  return (await cast.root.get(`/api/validate-referral-code/${encodeURIComponent(code)}`).expect(200)).body
    .reason;
}

export async function stateOf(cast: Cast, code: string): Promise<Body> {
  const { body } = await cast.root.get('/api/referral-codes?limit=200').expect(200);
  return body.data.find((item: Body) => item.code === code);
}

/** Changes these fields of the study; returns the previous values, to restore them. */
export async function setStudy(cast: Cast, fields: Record<string, unknown>): Promise<void> {
  await cast.root.patch('/api/study', fields).expect(200);
}

/** Expects this status, with the code if one is given, otherwise with a message only. */
export function refused(answer: Response, status: number, code?: string): Body {
  expect({ status: answer.status, code: answer.body.code, body: answer.body }).toEqual({
    status,
    code,
    body: expect.objectContaining({ message: expect.stringMatching(/\S/) }),
  });
  const extra = Object.keys(answer.body).filter(
    (key) => !['message', 'code', 'reason', 'params', 'errors', 'requestId'].includes(key),
  );
  expect(extra).toEqual([]);
  return answer.body;
}

/** Expects 400 VALIDATION_ERROR for this path, or for an operator below it. */
export function refusedAt(answer: Response, path: string): void {
  const body = refused(answer, 400, 'VALIDATION_ERROR');
  const paths = body.errors.map((fault: Body) => fault.path.replace(/\.\$\w+$/, ''));
  expect(paths).toContain(path);
  for (const fault of body.errors)
    expect(fault).toEqual({
      path: expect.any(String),
      message: expect.any(String),
      // Clients translate it; for an answer the questionnaire may have its own message.
      code: expect.stringMatching(path.startsWith('responses') ? /./ : /^(?!OTHER$)/),
      ...(fault.params ? { params: expect.any(Object) } : {}),
    });
}

export const flagsOf = (survey: Body): string[] => survey.flags.map((flag: Body) => flag.code);

export const tally = (answers: Response[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = body?.code ? `${status} ${body.code}` : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export const uuid = randomUUID;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The code for seven characters, calculated independently of the service. */
export function wellFormed(seven: string): string {
  const double = (value: number) => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);
  // Horner's rule: the sum of a^(7-i) * ci over the seven, which the check character has to cancel.
  const sum = [...seven].reduce((total, character) => double(total) ^ double(ALPHABET.indexOf(character)), 0);
  return seven + ALPHABET[sum];
}

let unknown = 0;
/** A code that does not exist: the service draws from 34 billion, these are consecutive. */
export function unknownCode(): string {
  unknown += 1;
  return wellFormed(`ZZZZZ${ALPHABET[unknown >> 5]}${ALPHABET[unknown & 31]}`);
}
