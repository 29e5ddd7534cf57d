/** Blocks of codes when responses are lost: repeatable refills, the user's own codes, and giving up lost codes. */
import { randomUUID } from 'node:crypto';
import type { Person } from '../people.ts';
import {
  castOfFile,
  reasonOf,
  refused,
  refusedAt,
  reserve,
  stateOf,
  submit,
  tally,
  times,
  unknownCode,
} from './kit.ts';

const BLOCKS = '/api/referral-codes/blocks';

const cast = castOfFile();

const newcomer = () => cast.world.person({ location: cast.site });
const blockCodes = async (person: Person): Promise<string[]> =>
  (await person.get(BLOCKS).expect(200)).body.codes;

describe('POST /api/referral-codes/blocks with a requestId', () => {
  test('repeating a refill whose response was lost returns the same codes, also at the limit', async () => {
    const person = await newcomer();
    const first = { count: 50, requestId: randomUUID() };
    const { body } = await person.post(BLOCKS, first).expect(201);
    await reserve(person, 50);
    for (const _ of [1, 2]) expect((await person.post(BLOCKS, first).expect(200)).body).toEqual(body);
    expect(await blockCodes(person)).toHaveLength(100);
  });

  test('several simultaneous requests with one id create one block', async () => {
    const person = await newcomer();
    const same = { count: 7, requestId: randomUUID() };
    const answers = await Promise.all(times(6, () => person.post(BLOCKS, same).then((answer) => answer)));
    expect(tally(answers)).toEqual({ 200: 5, 201: 1 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await blockCodes(person)).toHaveLength(7);
  });

  test('the same requestId from another user creates a separate block', async () => {
    const [one, two] = [await newcomer(), await newcomer()];
    const same = { count: 2, requestId: randomUUID() };
    const { body: mine } = await one.post(BLOCKS, same).expect(201);
    const { body: theirs } = await two.post(BLOCKS, same).expect(201);
    expect(theirs.codes.filter((code: string) => mine.codes.includes(code))).toEqual([]);
  });

  test('a repeated request returns the same codes even if some have been handed out', async () => {
    const person = await newcomer();
    const same = { count: 3, requestId: randomUUID() };
    const { body } = await person.post(BLOCKS, same).expect(201);
    await submit(cast, { issuedCodes: body.codes.slice(0, 2) }, person);
    expect((await person.post(BLOCKS, same).expect(200)).body).toEqual(body);
  });

  test('the requestId is case-insensitive', async () => {
    const person = await newcomer();
    const requestId = randomUUID();
    const { body } = await person.post(BLOCKS, { count: 1, requestId }).expect(201);
    const again = await person.post(BLOCKS, { count: 1, requestId: requestId.toUpperCase() }).expect(200);
    expect(again.body).toEqual(body);
  });

  test.each(['', 'x', 5, null, {}])('rejects the requestId %j', async (requestId) => {
    refusedAt(await cast.volunteer.post(BLOCKS, { count: 1, requestId }), 'requestId');
  });
});

describe('GET /api/referral-codes/blocks', () => {
  test('lists only the caller’s own unused reserved codes', async () => {
    const [person, other] = [await newcomer(), await newcomer()];
    const codes = await reserve(person, 4);
    await reserve(other, 2);
    expect((await person.get(BLOCKS).expect(200)).body).toEqual({ codes, limit: 100 });
    await submit(cast, { issuedCodes: [codes[0]] }, person);
    await submit(cast, { referralCode: codes[1] }, other);
    expect(await blockCodes(person)).toEqual(codes.slice(2));
  });

  test('is 401 without a token and 403 for a pending user', async () => {
    refused(await cast.world.anonymous.get(BLOCKS), 401);
    refused(await (await cast.world.person({ approvalStatus: 'PENDING' })).get(BLOCKS), 403);
  });
});

describe('POST /api/referral-codes/blocks/give-up', () => {
  const giveUp = async (person: Person, codes: string[]): Promise<number> =>
    (await person.post(`${BLOCKS}/give-up`, { codes }).expect(200)).body.givenUp;

  test('makes room for a new block', async () => {
    const person = await newcomer();
    const codes = [...(await reserve(person, 50)), ...(await reserve(person, 50))];
    refused(await person.post(BLOCKS, { count: 1 }), 409, 'TOO_MANY_RESERVED');
    expect(await giveUp(person, codes.slice(0, 85))).toBe(85);
    expect(await blockCodes(person)).toEqual(codes.slice(85));
    await reserve(person, 50);
    expect(await giveUp(person, codes.slice(0, 85))).toBe(0);
  });

  test('makes room for at most a hundred codes a day', async () => {
    const person = await newcomer();
    const block = async () => [...(await reserve(person, 50)), ...(await reserve(person, 50))];
    expect(await giveUp(person, await block())).toBe(100);
    expect(await giveUp(person, await block())).toBe(100);
    refused(await person.post(BLOCKS, { count: 1 }), 409, 'TOO_MANY_RESERVED');
    cast.world.clock.advance(25 * 60 * 60_000);
    await reserve(person, 50);
    cast.world.clock.real();
  });

  test('a released code that was handed out stays valid, and its interview still finds its recruiter', async () => {
    const person = await newcomer();
    const [code] = await reserve(person, 1);
    await giveUp(person, [code as string]);
    expect(await reasonOf(cast, code as string)).toBeNull();
    const recruit = await submit(cast, { referralCode: code });
    // The lost phone is found and sends its interviews.
    const recruiter = await submit(cast, { issuedCodes: [code] }, person);
    expect(recruiter).toMatchObject({ flags: [], issuedCodes: expect.arrayContaining([code]) });
    const { body } = await cast.root.get(`/api/surveys/${recruit.id}`).expect(200);
    expect(body).toMatchObject({ recruiter: recruiter.id, flags: [] });
  });

  test('changes only the caller’s own unused codes', async () => {
    const [person, other] = [await newcomer(), await newcomer()];
    const [mine, used] = await reserve(person, 2);
    const [theirs] = await reserve(other, 1);
    await submit(cast, { issuedCodes: [used] }, person);
    expect(await giveUp(person, [mine, used, theirs, 'nonsense'] as string[])).toBe(1);
    expect(await blockCodes(other)).toEqual([theirs]);
    expect(await stateOf(cast, used as string)).toMatchObject({ state: 'LIVE' });
  });

  test('accepts the codes in any spelling, and records each in the audit trail', async () => {
    const person = await newcomer();
    const [code] = await reserve(person, 1);
    expect(await giveUp(person, [`${code?.slice(0, 4)}-${code?.slice(4)}`.toLowerCase()])).toBe(1);
    const { body } = await cast.admin.get('/api/audit?limit=1').expect(200);
    expect(body.data[0]).toMatchObject({ subject: 'ReferralCode', action: 'update', by: person.id });
  });

  test.each([[[]], [['A'.repeat(65)]], ['ABCDEFGC'], [[5]], [times(101, () => 'ABCDEFGC')], [null]])(
    'rejects the codes %j',
    async (codes) => {
      const answer = await cast.volunteer.post(`${BLOCKS}/give-up`, { codes });
      refused(answer, 400, 'VALIDATION_ERROR');
    },
  );

  test('ignores unknown codes', async () => {
    expect(await giveUp(await newcomer(), [unknownCode()])).toBe(0);
  });
});
