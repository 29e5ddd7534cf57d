/** Paying an incentive, withdrawing it, and what each role sees of it. */
import { makeSeed } from '../make.ts';
import type { Person } from '../people.ts';
import { owedTo, pay, recruit, setIncentives, statesOf, USD } from './incentive-kit.ts';
import {
  castOfFile,
  collection,
  NOBODY,
  oid,
  read,
  refused,
  refusedAt,
  submit,
  tally,
  times,
  uuid,
} from './kit.ts';

const cast = castOfFile();
beforeAll(() => setIncentives(cast, USD));
afterEach(() => cast.world.clock.real());

/** A new interview, and its due incentives. */
async function dueNow() {
  const survey = await submit(cast);
  const [incentive] = await owedTo(cast, survey.id);
  return { survey, id: incentive.id as string };
}
const colleague = () => cast.world.person({ role: 'VOLUNTEER', location: cast.site });
const withdraw = (person: Person, id: string) =>
  person.post(`/api/incentives/${id}/withdraw`, { reason: 'sold coupons' });
const reopen = (person: Person, id: string) =>
  person.post(`/api/incentives/${id}/reopen`, { reason: 'wrong person' });

describe('a payment', () => {
  test('is recorded with person, time and site; the same clientId again changes nothing', async () => {
    const { id, survey } = await dueNow();
    const clientId = uuid();
    const body = { method: 'CASH', reference: 'slip 1', clientId };
    const first = await cast.admin.post(`/api/incentives/${id}/pay`, body).expect(200);
    expect(first.body).toMatchObject({
      ...{ id, survey: survey.id, state: 'PAID', method: 'CASH', reference: 'slip 1' },
      ...{ paidBy: cast.admin.id, location: cast.site, paidAt: first.body.recordedAt },
    });
    const again = await cast.admin
      .post(`/api/incentives/${id}/pay`, { ...body, method: 'OTHER' })
      .expect(200);
    expect(again.body).toEqual(first.body);
    refused(await pay(cast.admin, id), 409, 'ALREADY_PAID');
    refused(await pay(cast.root, id, { clientId }), 409, 'ALREADY_PAID');
    const events = await collection('auditevents').find({ subject: 'Incentive', action: 'update' }).toArray();
    expect(events.filter(({ record }) => String(record) === id)).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain('slip 1');
  });

  test('by 20 people at once is recorded once', async () => {
    const { id, survey } = await dueNow();
    const payers = await Promise.all(times(20, colleague));
    const answers = await Promise.all(payers.map((one) => pay(one, id, { code: survey.referralCode })));
    expect(tally(answers)).toEqual({ 200: 1, '409 ALREADY_PAID': 19 });
    const clientId = uuid();
    const other = await dueNow();
    const same = await Promise.all(times(20, () => pay(cast.admin, other.id, { clientId })));
    expect(tally(same)).toEqual({ 200: 20 });
    const eventCount = await collection('auditevents').countDocuments({
      action: 'update',
      subject: 'Incentive',
    });
    expect(eventCount).toBe(3);
  });

  test('sent again is recognized on a later day, and if the payer no longer has a site', async () => {
    const { id } = await dueNow();
    const clientId = uuid();
    const first = await pay(cast.volunteer, id, { clientId }).expect(200);
    cast.world.clock.advance(36 * 3_600_000);
    refused(await pay(cast.volunteer, id), 403);
    const late = await pay(cast.volunteer, id, { clientId }).expect(200);
    expect(late.body).toMatchObject({ id, state: 'PAID', paidAt: first.body.paidAt });
    const other = await dueNow();
    const [payer, body] = [await colleague(), { clientId: uuid(), code: other.survey.referralCode }];
    await pay(payer, other.id, body).expect(200);
    await cast.root.patch(`/api/users/${payer.id}`, { location: null }).expect(200);
    await pay(payer, other.id, body).expect(200);
  });

  test('cannot reuse the clientId of another payment by the same person', async () => {
    const [one, other] = [await dueNow(), await dueNow()];
    const clientId = uuid();
    await pay(cast.admin, one.id, { clientId }).expect(200);
    refused(await pay(cast.admin, other.id, { clientId }), 409, 'EDIT_CONFLICT');
    await pay(cast.root, other.id, { clientId }).expect(200);
    const many = await Promise.all(times(6, dueNow));
    const shared = uuid();
    const answers = await Promise.all(many.map(({ id }) => pay(cast.admin, id, { clientId: shared })));
    expect(tally(answers)).toEqual({ 200: 1, '409 EDIT_CONFLICT': 5 });
  });

  test('needs the claim number, unless the payer may update the interview or reads all incentives', async () => {
    const stranger = await colleague();
    const { id, survey } = await dueNow();
    refused(await pay(stranger, id), 403);
    expect(refused(await pay(stranger, id, { code: survey.issuedCodes[0] }), 403)).toMatchObject({
      reason: 'COUPON_NOT_CLAIM',
    });
    refused(await pay(cast.volunteer, id, { code: 'nonsense' }), 403);
    const { body } = await pay(stranger, id, { code: survey.referralCode.toLowerCase() }).expect(200);
    expect(body).toMatchObject({ survey: null, recruit: null, state: 'PAID' });
    await pay(cast.volunteer, (await dueNow()).id).expect(200);
    await pay(cast.manager, (await dueNow()).id).expect(200);
    refused(await pay(stranger, NOBODY), 404);
  });

  test('for a recruit is claimed with the recruiter’s number', async () => {
    const { survey } = await dueNow();
    const other = await recruit(cast, survey);
    const [, { id }] = await owedTo(cast, survey.id);
    const stranger = await colleague();
    refused(await pay(stranger, id, { code: other.referralCode }), 403);
    await pay(stranger, id, { code: survey.referralCode }).expect(200);
  });

  test('is at the payer’s current site; another site needs permission to pay anywhere', async () => {
    const elsewhere = await cast.world.place();
    const nowhere = await cast.world.person({ role: 'ADMIN', location: null });
    const { id } = await dueNow();
    refusedAt(await pay(nowhere, id), 'location');
    refused(await pay(cast.manager, id, { location: elsewhere }), 403);
    refusedAt(await pay(nowhere, id, { location: NOBODY }), 'location');
    const { body } = await pay(nowhere, id, { location: elsewhere }).expect(200);
    expect(body.location).toBe(elsewhere);
    const lost = await cast.world.person({ role: 'VOLUNTEER', location: null });
    const { id: other, survey } = await dueNow();
    refusedAt(await pay(lost, other, { code: survey.referralCode }), 'location');
  });

  test('returns one result per incentive', async () => {
    const dues = await Promise.all(times(3, dueNow));
    const [one, two, three] = dues.map(({ id }) => ({ id, method: 'TRANSFER', clientId: uuid() }));
    await withdraw(cast.admin, three?.id as string).expect(200);
    const payments = [one, two, one, three, { ...two, id: NOBODY, clientId: uuid() }];
    const { body } = await cast.admin.post('/api/incentives/pay', { payments }).expect(200);
    expect(body).toEqual({
      done: 2,
      refused: [one, three, { id: NOBODY }].map((each) => ({ id: each?.id, message: expect.any(String) })),
    });
    const again = await cast.admin.post('/api/incentives/pay', { payments: [one, two] }).expect(200);
    expect(again.body).toEqual({ done: 2, refused: [] });
    refused(await cast.manager.post('/api/incentives/pay', { payments: [one] }), 403);
    const nowhere = await cast.world.person({ role: 'ADMIN', location: null });
    const late = { ...one, id: (await dueNow()).id, clientId: uuid() };
    const none = await nowhere.post('/api/incentives/pay', { payments: [late] }).expect(200);
    expect(none.body).toMatchObject({ done: 0, refused: [{ id: late.id }] });
  });

  test('several together are at the site that a person without one names', async () => {
    const payments = [{ id: (await dueNow()).id, method: 'CASH', clientId: uuid() }];
    const nowhere = await cast.world.person({ role: 'SUPER_ADMIN', location: null });
    const unknown = await nowhere.post('/api/incentives/pay', { payments, location: NOBODY }).expect(200);
    expect(unknown.body).toMatchObject({ done: 0, refused: [{ id: payments[0]?.id }] });
    const elsewhere = await cast.world.place();
    const { body } = await nowhere.post('/api/incentives/pay', { payments, location: elsewhere }).expect(200);
    expect(body).toEqual({ done: 1, refused: [] });
    const { body: paid } = await cast.admin.get(`/api/incentives?location=${elsewhere}`).expect(200);
    expect(paid.data.map(({ id }: { id: string }) => id)).toEqual([payments[0]?.id]);
  });
});

describe('withdrawing and reopening', () => {
  test('permanently withdraws what is due', async () => {
    const { id, survey } = await dueNow();
    refused(await withdraw(cast.manager, id), 403);
    const { body } = await withdraw(cast.admin, id).expect(200);
    expect(body).toMatchObject({ state: 'WITHDRAWN', reason: 'sold coupons' });
    refused(await withdraw(cast.admin, id), 409, 'NOTHING_DUE');
    refused(await pay(cast.admin, id), 409, 'NOTHING_DUE');
    await cast.root.delete(`/api/surveys/${survey.id}`).expect(204);
    await cast.root.post(`/api/surveys/${survey.id}/restore`).expect(200);
    expect(await statesOf(cast, survey.id)).toEqual(['INTERVIEW WITHDRAWN']);
    expect((await reopen(cast.admin, id).expect(200)).body).toMatchObject({ state: 'DUE' });
    refused(await reopen(cast.admin, id), 409, 'INVALID_TRANSITION');
  });

  test('a reopened payment is due again, and its clientId cannot pay again', async () => {
    const { id, survey } = await dueNow();
    const clientId = uuid();
    await pay(cast.admin, id, { clientId, reference: 'x' }).expect(200);
    refused(await withdraw(cast.admin, id), 409, 'ALREADY_PAID');
    refused(await reopen(cast.volunteer, id), 403);
    const { body } = await reopen(cast.admin, id).expect(200);
    const cleared = {
      method: null,
      reference: null,
      paidBy: null,
      paidAt: null,
      recordedAt: null,
      location: null,
    };
    expect(body).toMatchObject({ state: 'DUE', reason: 'wrong person', ...cleared });
    expect((await pay(cast.admin, id, { clientId }).expect(200)).body).toEqual(body);
    await pay(cast.admin, id).expect(200);
    expect(await statesOf(cast, survey.id)).toEqual(['INTERVIEW PAID']);
    const { body: trail } = await cast.admin.get(`/api/audit?record=${id}`).expect(200);
    expect(trail.data[1]).toMatchObject({ action: 'update', reason: 'wrong person' });
  });

  test('a payment is reopened only if it is the one that the caller has seen', async () => {
    const { id } = await dueNow();
    const { paidAt } = (await pay(cast.admin, id).expect(200)).body;
    const reopenSeen = (paidAtSeen: string | null) =>
      cast.admin.post(`/api/incentives/${id}/reopen`, { reason: 'wrong person', paidAt: paidAtSeen });
    await reopenSeen(paidAt).expect(200);
    cast.world.clock.set(new Date(Date.parse(paidAt) + 60_000));
    const later = (await pay(cast.root, id).expect(200)).body;
    for (const paidAtSeen of [paidAt, null]) refused(await reopenSeen(paidAtSeen), 409, 'EDIT_CONFLICT');
    refusedAt(await reopenSeen('yesterday'), 'paidAt');
    expect((await collection('incentives').findOne({ _id: oid(id) }))?.paidAt).toEqual(
      new Date(later.paidAt),
    );
    await reopenSeen(later.paidAt).expect(200);
  });

  test('a reopened payment is withdrawn if the tree no longer owes it, and frees the limit for another recruit', async () => {
    await setIncentives(cast, { ...USD, recruitLimit: 1 });
    const { survey } = await dueNow();
    const [one, other] = [await recruit(cast, survey, 0), await recruit(cast, survey, 1)];
    const [, paid] = await owedTo(cast, survey.id);
    await pay(cast.admin, paid.id).expect(200);
    await cast.root.delete(`/api/surveys/${one.id}`).expect(204);
    expect(await statesOf(cast, survey.id)).toEqual(['INTERVIEW DUE', 'RECRUIT PAID']);
    // By the service: the reason of the reopening is not why.
    const reopened = (await reopen(cast.admin, paid.id).expect(200)).body;
    expect(reopened).toMatchObject({ state: 'WITHDRAWN', reason: null });
    expect((await owedTo(cast, survey.id)).slice(1)).toMatchObject([
      { recruit: one.id, state: 'WITHDRAWN' },
      { recruit: other.id, state: 'DUE' },
    ]);
    refused(await reopen(cast.admin, paid.id), 409, 'INVALID_TRANSITION');
    await setIncentives(cast, USD);
  });
});

describe('a claim', () => {
  test('returns only what is due to the person with this code', async () => {
    const { survey, id } = await dueNow();
    await recruit(cast, survey);
    const [own, ofRecruit] = await owedTo(cast, survey.id);
    await pay(cast.admin, id).expect(200);
    const stranger = await colleague();
    const ask = () => stranger.get(`/api/incentives/claim/${survey.referralCode.toLowerCase()}`).expect(200);
    expect((await ask()).body).toEqual({
      code: survey.referralCode,
      due: [{ id: ofRecruit.id, kind: 'RECRUIT', amount: '10.00', currency: 'USD' }],
      paidCount: 1,
      paidTotal: own.amount,
    });
    await cast.root.delete(`/api/surveys/${survey.id}`).expect(204);
    expect((await ask()).body.due).toHaveLength(1);
    for (const code of ['nonsense', 'ZZZZZZZZ'])
      expect(refused(await stranger.get(`/api/incentives/claim/${code}`), 404)).not.toHaveProperty('reason');
  });

  test('with a coupon that was handed out says whose number is needed', async () => {
    const { survey } = await dueNow();
    const stranger = await colleague();
    const claim = await stranger.get(`/api/incentives/claim/${survey.issuedCodes[1]}`);
    expect(refused(claim, 404)).toMatchObject({ reason: 'COUPON_NOT_CLAIM' });
  });
});

describe('reading incentives', () => {
  test('a manager can read those recorded today at their own site, a volunteer those they paid today', async () => {
    const [here, there] = [await dueNow(), await dueNow()];
    const elsewhere = await cast.world.place();
    await pay(cast.volunteer, here.id).expect(200);
    await pay(cast.admin, there.id, { location: elsewhere }).expect(200);
    const ids = async (person: Person, query = '') =>
      (await person.get(`/api/incentives?limit=200${query}`).expect(200)).body.data.map(
        (one: { id: string }) => one.id,
      );
    expect(await ids(cast.admin)).toEqual(expect.arrayContaining([here.id, there.id]));
    expect(await ids(cast.manager)).toContain(here.id);
    expect(await ids(cast.manager)).not.toContain(there.id);
    expect(await ids(cast.volunteer)).toContain(here.id);
    expect(await ids(await colleague())).toEqual([]);
    expect(await ids(cast.admin, `&location=${elsewhere}&state=PAID&kind=INTERVIEW`)).toEqual([there.id]);
    expect(await ids(cast.admin, `&paidBy=${cast.volunteer.id}&from=2020-01-01`)).toContain(here.id);
    expect(await ids(cast.admin, '&to=2020-01-01')).toEqual([]);
  });

  test('a caller who may update an interview sees all its incentives; others see none', async () => {
    const { survey, id } = await dueNow();
    const list = async (person: Person) =>
      (await person.get(`/api/incentives?survey=${survey.id}`).expect(200)).body.data;
    for (const person of [cast.volunteer, cast.manager, cast.admin])
      expect(await list(person)).toMatchObject([{ id, survey: survey.id }]);
    expect(await list(await colleague())).toEqual([]);
  });

  test('nobody learns whose incentive it is by asking for an interview that they may not read', async () => {
    const { id, survey } = await dueNow();
    const payer = await colleague();
    await pay(payer, id, { code: survey.referralCode }).expect(200);
    const list = async (person: Person, query: string) =>
      (await person.get(`/api/incentives?total=true${query}`).expect(200)).body;
    expect((await list(payer, '')).data).toMatchObject([{ id, survey: null }]);
    const nothing = { data: [], nextCursor: null, total: 0 };
    expect(await list(payer, `&survey=${survey.id}`)).toEqual(nothing);
    const permissions = [{ action: 'read', subject: 'Survey', conditions: [] }];
    await cast.root.patch(`/api/users/${payer.id}`, { permissions }).expect(200);
    expect(await list(payer, `&survey=${survey.id}`)).toMatchObject({ data: [{ id }], total: 1 });
    await cast.root.delete(`/api/surveys/${survey.id}`).expect(204);
    expect(await list(payer, `&survey=${survey.id}`)).toEqual(nothing);
    expect((await list(cast.admin, `&survey=${survey.id}`)).data).toMatchObject([{ id, survey: survey.id }]);
  });

  test('changes of an incentive are shown in the audit trail only to people who may read it', async () => {
    const { id } = await dueNow();
    await pay(cast.admin, id).expect(200);
    const permissions = [{ action: 'read', subject: 'AuditEvent', conditions: [] }];
    const auditor = await cast.world.person({ role: 'VOLUNTEER', location: cast.site, permissions });
    const { body } = await auditor.get(`/api/audit?record=${id}&action=update&subject=Incentive`).expect(200);
    expect(body.data).toMatchObject([{ changes: [], hidden: true }]);
  });

  test('a grant gives access beyond the role', async () => {
    const permissions = ['read', 'withdraw'].map((action) => ({
      action,
      subject: 'Incentive',
      conditions: [],
    }));
    const treasurer = await cast.world.person({ role: 'VOLUNTEER', location: cast.site, permissions });
    const { id, survey } = await dueNow();
    const { body } = await treasurer.get('/api/incentives?state=DUE').expect(200);
    expect(body.data[0]).toMatchObject({ id, survey: survey.id });
    await pay(treasurer, id).expect(200);
    await reopen(treasurer, id).expect(200);
  });

  test('an interview that lost its code has no claim number; people who may update it can pay it', async () => {
    const recruiter = await submit(cast);
    const first = await recruit(cast, recruiter);
    const second = await recruit(cast, recruiter, 0, { onCodeProblem: 'FLAG' });
    await cast.volunteer
      .post(`/api/surveys/${second.id}/take-code`, { from: first.id, reason: 'copied' })
      .expect(200);
    expect((await read(cast, first.id)).referralCode).toBeNull();
    const [{ id }] = (await owedTo(cast, first.id)) as [{ id: string }];
    refused(await pay(await colleague(), id, { code: second.referralCode ?? recruiter.issuedCodes[0] }), 403);
    await pay(cast.volunteer, id).expect(200);
  });
});

test('the summary counts what the caller may read: by site, person, day and method', async () => {
  const site = await cast.world.place();
  const payer = await cast.world.person({ role: 'VOLUNTEER', location: site });
  const [one, two, three] = [await dueNow(), await dueNow(), await dueNow()];
  const stay = { location: site };
  await pay(payer, one.id, { code: one.survey.referralCode }).expect(200);
  await pay(cast.admin, two.id, { ...stay, method: 'GIFT_CARD' }).expect(200);
  await withdraw(cast.admin, three.id).expect(200);
  const summary = async (person: Person, query: string) =>
    (await person.get(`/api/incentives/summary?${query}`).expect(200)).body;
  const { body: day } = await cast.admin.get(`/api/incentives?location=${site}`).expect(200);
  expect(day.data).toHaveLength(2);
  const both = { count: 2, total: '40.00' };
  const each = { count: 1, total: '20.00' };
  const all = await summary(cast.admin, `location=${site}`);
  expect(all).toMatchObject({
    ...{
      currency: 'USD',
      paid: both,
      due: { count: 0, total: '0.00' },
      withdrawn: { count: 0, total: '0.00' },
    },
    byLocation: [{ location: site, ...both }],
    byMethod: [
      { method: 'CASH', ...each },
      { method: 'GIFT_CARD', ...each },
    ],
    byDay: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...both }],
  });
  expect(all.byPerson).toHaveLength(2);
  expect(await summary(payer, '')).toMatchObject({ paid: each, due: null, withdrawn: null });
  const unpaid = await summary(cast.admin, `paidBy=${payer.id}`);
  expect(unpaid).toMatchObject({ paid: each, byPerson: [{ paidBy: payer.id, ...each }] });
  expect(unpaid.withdrawn.count).toBeGreaterThan(0);
  expect((await summary(cast.admin, 'from=2030-01-01')).paid).toEqual({ count: 0, total: '0.00' });
});

test.each(['america/los_angeles', 'Asia/Kathmandu', 'America/Coyhaique'])(
  'the summary has days in any time zone that the study may have: %s',
  async (timeZone) => {
    await cast.root.patch('/api/study', { timeZone }).expect(200);
    const { byDay, paid } = (await cast.admin.get('/api/incentives/summary').expect(200)).body;
    const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format();
    const days = byDay as { day: string; count: number }[];
    expect(days.map(({ day }) => day)).toContain(today);
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(paid.count);
    await cast.root.patch('/api/study', { timeZone: null }).expect(200);
  },
);

test('the history of an incentive names its interview, for callers who may know it', async () => {
  const { referralCode } = await makeSeed(cast.world, cast.admin, { location: cast.site });
  const survey = await submit(cast, { referralCode });
  const [incentive] = await owedTo(cast, survey.id);
  await pay(cast.admin, incentive.id).expect(200);
  const names = async (by: Person) =>
    (await by.get(`/api/audit?record=${incentive.id}&action=update`).expect(200)).body.data[0].names;
  const description = { name: '20.00 USD', interview: survey.id, location: cast.site };
  for (const by of [cast.root, cast.admin])
    expect(await names(by)).toMatchObject({
      [incentive.id]: { subject: 'Incentive', ...description },
      [survey.id]: { subject: 'Survey', code: referralCode, location: cast.site },
    });
  const reader = await cast.world.person({
    role: 'VOLUNTEER',
    permissions: ['AuditEvent', 'Incentive'].map((subject) => ({
      ...{ action: 'read', conditions: [] },
      subject: subject as 'AuditEvent',
    })),
  });
  const recordNames = await names(reader);
  expect(recordNames[incentive.id]).toMatchObject(description);
  expect(recordNames).not.toHaveProperty(survey.id);
  expect(JSON.stringify(recordNames)).not.toContain(referralCode);
});
