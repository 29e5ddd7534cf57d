/** Erasing one interview: what is deleted, what stays, and that nothing restores it. */
import mongoose from 'mongoose';
import { loadSample } from '../../src/statistics/sample/load.ts';
import { ANSWERS } from '../make.ts';
import type { Person } from '../people.ts';
import {
  castOfFile,
  NOBODY,
  oid,
  read,
  refused,
  refusedAt,
  seedCode,
  setStudy,
  submit,
  uuid,
} from './kit.ts';

const cast = castOfFile();

const REASON = { reason: 'Asked for in writing.' };
const erase = (id: string, by: Person = cast.root) => by.post(`/api/surveys/${id}/erase`, REASON);
let people = 0;
const POINT = { latitude: 47.6, longitude: -122.3 };

/** An interview with everything that erasure removes or keeps. */
async function rich() {
  const secret = `Zebulon Quagmire ${++people};`;
  const body = { clientId: uuid(), referralCode: await seedCode(cast), coordinates: POINT };
  const responses = { ...ANSWERS, networkSize: 7, comment: secret };
  const survey = await submit(cast, { ...body, responses });
  const path = `/api/surveys/${survey.id}`;
  await mongoose.connection
    .collection('seeds')
    .updateOne({ referralCode: body.referralCode }, { $set: { note: `Known as ${secret}` } });
  await cast.volunteer.patch(path, { responses: { ...responses, comment: `not ${secret}` } }).expect(200);
  await cast.root.post(`${path}/comments`, { text: `He is ${secret}` }).expect(201);
  const copy = { location: cast.site, ...body, responses: { ...responses, comment: `nor ${secret}` } };
  refused(await cast.volunteer.post('/api/surveys', copy), 409, 'EDIT_CONFLICT');
  await mongoose.connection
    .collection('identities')
    .insertOne({ survey: oid(survey.id), hashes: ['a hash'] });
  return { ...(await read(cast, survey.id)), secret, sent: { location: cast.site, ...body, responses } };
}

/** All collections that mention it. */
async function holding(secret: string): Promise<string[]> {
  const names = (await mongoose.connection.listCollections()).map(({ name }) => name);
  const matches = await Promise.all(
    names.map(async (name) => {
      const records = await mongoose.connection.collection(name).find().toArray();
      return JSON.stringify(records).includes(secret) ? [name] : [];
    }),
  );
  return matches.flat().sort();
}

test('erasing removes answers, position, copies, identities, comments, the seed’s note and history values; the rest stays', async () => {
  const before = await rich();
  expect(await holding(before.secret)).toEqual([
    'auditevents',
    'seeds',
    'surveycomments',
    'surveycopies',
    'surveys',
  ]);
  const { body } = await erase(before.id).expect(200);
  const remainingFields = [
    'id',
    'clientId',
    'referralCode',
    'seed',
    'recruiter',
    'wave',
    'issuedCodes',
    'location',
  ];
  for (const name of [...remainingFields, 'createdBy', 'startedAt', 'completedAt', 'createdAt', 'status'])
    expect([name, body[name]]).toEqual([name, before[name]]);
  expect(body).toMatchObject({ responses: {}, coordinates: null, networkSize: 7, flags: [] });
  expect(body.version).toBe(before.version + 1);
  expect(body.erasedAt).toEqual(expect.any(String));
  expect(await holding(before.secret)).toEqual([]);
  const own = { survey: oid(before.id) };
  for (const name of ['surveycopies', 'surveycomments', 'identities'])
    expect(await mongoose.connection.collection(name).countDocuments(own)).toBe(0);
});

test('erasing removes references and reasons of incentives, also those of the recruiter for bringing the person', async () => {
  const incentives = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: null };
  await setStudy(cast, { incentives });
  const secret = `Zebulon Quagmire ${++people};`;
  const recruiter = await submit(cast);
  const incentive = { method: 'GIFT_CARD', reference: secret };
  const [referralCode] = recruiter.issuedCodes;
  const survey = await submit(cast, { referralCode, incentive });
  const owed = async (of: string) =>
    (await cast.root.get(`/api/incentives?survey=${of}`).expect(200)).body.data;
  const [own] = await owed(survey.id);
  await cast.root.post(`/api/incentives/${own.id}/reopen`, { reason: `Not ${secret}` }).expect(200);
  const payment = { ...incentive, clientId: uuid() };
  await cast.root.post(`/api/incentives/${own.id}/pay`, payment).expect(200);
  const forBringing = (await owed(recruiter.id)).find(({ kind }: { kind: string }) => kind === 'RECRUIT');
  await cast.root
    .post(`/api/incentives/${forBringing.id}/withdraw`, { reason: `Knew ${secret}` })
    .expect(200);
  await setStudy(cast, { incentives: { ...incentives, interview: null } });
  const notDue = await submit(cast, { incentive });
  await setStudy(cast, { incentives });
  expect(await holding(secret)).toEqual(['auditevents', 'incentives', 'surveys']);

  await erase(survey.id).expect(200);
  await erase(notDue.id).expect(200);
  expect(await holding(secret)).toEqual([]);
  expect(await owed(survey.id)).toMatchObject([
    {
      state: 'PAID',
      amount: '20.00',
      method: 'GIFT_CARD',
      paidBy: cast.root.id,
      reference: null,
      reason: null,
    },
  ]);
  const { body } = await cast.admin.get(`/api/audit?record=${own.id}&limit=200`).expect(200);
  expect(JSON.stringify(body.data)).toContain('PAID');
});

test('erasing removes text that was typed in place of a coupon code, and keeps codes', async () => {
  const secret = 'Zebulon +12065550199';
  const [unknown, refusedCode] = ['ABCD-EFGC', 'abcd efgc'];
  const flagged = async (fields: object) =>
    (await submit(cast, { ...fields, onCodeProblem: 'FLAG' })) as { id: string };
  const typed = await flagged({ referralCode: secret, issuedCodes: [secret, refusedCode] });
  const walkIn = await flagged({ walkInCode: secret });
  const wrong = await flagged({ referralCode: unknown });
  expect(await holding(secret)).toEqual(['surveys']);
  const flagsAfter = async ({ id }: { id: string }) =>
    (await erase(id).expect(200)).body.flags.map((one: { code: string; referralCode: string | null }) => [
      one.code,
      one.referralCode,
    ]);
  expect(await flagsAfter(typed)).toEqual([
    ['REFERRAL_CODE_MALFORMED', null],
    ['ISSUED_CODE_REFUSED', null],
    ['ISSUED_CODE_REFUSED', 'ABCDEFGC'],
  ]);
  expect(await flagsAfter(walkIn)).toEqual([['ISSUED_CODE_REFUSED', null]]);
  expect(await flagsAfter(wrong)).toEqual([['REFERRAL_CODE_UNKNOWN', 'ABCDEFGC']]);
  expect(await holding(secret)).toEqual([]);
});

test('erasing keeps who changed what and when in the history, and adds the erasure and its reason', async () => {
  const { id } = await rich();
  await erase(id).expect(200);
  const { body } = await cast.root.get(`/api/surveys/${id}/history`).expect(200);
  expect(body[0]).toMatchObject({
    by: cast.volunteer.id,
    changes: expect.arrayContaining([{ path: 'responses.comment', before: null, after: null, erased: true }]),
  });
  expect(body.at(-1)).toMatchObject({ by: cast.root.id, action: 'erase', changes: [], ...REASON });
  const audit = await cast.root.get(`/api/audit?record=${id}&action=erase`).expect(200);
  expect(audit.body.data).toMatchObject([{ by: cast.root.id, subject: 'Survey', ...REASON }]);
});

test('erasing leaves the survey in the sample with missing answers and its network size', async () => {
  const { id } = await rich();
  const sample = async () => {
    const request = { window: {}, zone: 'UTC', outcomes: 'ALL', anyLevels: true } as const;
    const { ids, reportedSizes, outcomes } = await loadSample({ ...request, now: new Date() });
    const row = ids.indexOf(id);
    const levels = outcomes.map(({ outcome }) =>
      outcome.kind === 'CATEGORY' ? outcome.codes[row] : outcome.values[row],
    );
    const sizeOutcome = outcomes.find(({ name }) => name === 'toldSize')?.outcome;
    return {
      size: reportedSizes[row],
      answered: levels.filter((one) => Number(one) >= 0).length,
      told:
        sizeOutcome?.kind === 'CATEGORY'
          ? (sizeOutcome.levels[sizeOutcome.codes[row] ?? -1] ?? null)
          : undefined,
    };
  };
  const toldSize = {
    name: 'toldSize',
    title: { en: 'Told' },
    kind: 'CATEGORY',
    expression: '{networkSize} notempty',
  };
  await cast.root.patch('/api/study', { outcomes: [toldSize] }).expect(200);
  const before = await sample();
  await erase(id).expect(200);
  const after = await sample();
  await cast.root.patch('/api/study', { outcomes: [] }).expect(200);
  expect([before.size, after.size]).toEqual([7, 7]);
  expect(after.answered).toBeLessThan(before.answered);
  // An outcome that asks what is empty knows nothing of answers that are gone.
  expect([before.told, after.told]).toEqual(['true', null]);
});

test('erasing again changes nothing, also with the earlier version', async () => {
  const { id, version } = await rich();
  const first = await erase(id).set('If-Match', `"${version}"`).expect(200);
  const second = await erase(id).set('If-Match', `"${version}"`).expect(200);
  expect(second.body).toEqual(first.body);
});

test('erasing again erases comments and history values added since', async () => {
  const { id } = await rich();
  const { body: first } = await erase(id).expect(200);
  const secret = 'Peregrine Oddfellow';
  await cast.root.post(`/api/surveys/${id}/comments`, { text: secret }).expect(201);
  await cast.root
    .post(`/api/surveys/${id}/review`, { state: 'REJECTED', comment: `${secret} left` })
    .expect(200);
  expect(await holding(secret)).toEqual(['auditevents', 'surveycomments']);
  const { body: again } = await erase(id).expect(200);
  expect(again.erasedAt).toBe(first.erasedAt);
  expect(await holding(secret)).toEqual([]);
});

test('a stale version is rejected', async () => {
  const { id, version } = await rich();
  refused(await erase(id).set('If-Match', `"${version + 1}"`), 409, 'EDIT_CONFLICT');
  expect((await read(cast, id)).erasedAt).toBeUndefined();
});

test('a replay of an erased interview returns the stored one and stores nothing', async () => {
  const { id, sent: submission, secret } = await rich();
  await erase(id).expect(200);
  for (const responses of [
    submission.responses,
    { ...submission.responses, comment: `${secret} again` },
    {},
  ]) {
    const { body } = await cast.volunteer.post('/api/surveys', { ...submission, responses });
    expect(body).toMatchObject({ id, responses: {}, coordinates: null, flags: [] });
  }
  expect(await holding(secret)).toEqual([]);
});

test('answers and position of an erased interview cannot be changed; its coupons can', async () => {
  const { id } = await rich();
  await erase(id).expect(200);
  for (const change of [{ responses: ANSWERS }, { coordinates: POINT }, { takesPart: false }]) {
    const answer = await cast.root.patch(`/api/surveys/${id}`, change);
    refused(answer, 409, 'INVALID_TRANSITION');
    expect(answer.body.reason).toBe('SURVEY_ERASED');
  }
  const { body } = await cast.root.get(`/api/surveys/${id}/answers`).expect(200);
  expect(body).toEqual([]);
});

test('a deleted interview can be erased', async () => {
  const { id, secret } = await rich();
  await cast.root.delete(`/api/surveys/${id}`).expect(204);
  await erase(id).expect(200);
  expect(await holding(secret)).toEqual([]);
});

test('erasing needs a super admin or a grant, and a reason', async () => {
  const { id } = await rich();
  for (const person of [cast.admin, cast.manager, cast.volunteer]) refused(await erase(id, person), 403);
  refusedAt(await cast.root.post(`/api/surveys/${id}/erase`, { reason: ' ' }), 'reason');
  expect((await erase(NOBODY)).status).toBe(404);
  const permissions = [{ action: 'erase', subject: 'Survey', conditions: ['IS_CREATED_BY_SELF'] }];
  const granted = await cast.world.person({ location: cast.site, permissions });
  refused(await erase(id, granted), 403);
  await erase((await submit(cast, {}, granted)).id, granted).expect(200);
});

test('simultaneous changes leave no answers behind after an erasure', async () => {
  const { id, sent: submission, secret } = await rich();
  const path = `/api/surveys/${id}`;
  await Promise.all([
    erase(id).expect(200),
    ...Array.from({ length: 4 }, (_, at) => [
      cast.volunteer.patch(path, { responses: { ...submission.responses, comment: `${secret} ${at}` } }),
      cast.volunteer.post('/api/surveys', {
        ...submission,
        responses: { ...submission.responses, comment: `${secret} copy ${at}` },
      }),
    ]).flat(),
  ]);
  expect(await holding(secret)).toEqual([]);
});
