/** Texts to respondents: whom, when, how often, what became of them, and what they tell. */
import pino from 'pino';
import { ContactModel, TextedNumberModel } from '../../src/interviews/contacts/model.ts';
import { MessageModel } from '../../src/interviews/messages/model.ts';
import { sendDueTexts } from '../../src/interviews/texting/job.ts';
import type { MessageProvider } from '../../src/interviews/texting/provider.ts';
import { randomTextingTime } from '../../src/interviews/texting/quiet-hours.ts';
import { openTwilioMessageProvider } from '../../src/interviews/texting/twilio.ts';
import type { Body } from '../make.ts';
import { MESSAGING, type MessagingStandIn, sign, startMessaging } from '../messaging-stand-in.ts';
import { owedTo, pay, recruit, setIncentives, USD } from './incentive-kit.ts';
import { castOfFile, DAY, HOUR, oid, refused, setStudy, submit, uuid } from './kit.ts';

const cast = castOfFile();
let twilio: MessagingStandIn;
let provider: MessageProvider;
const NOON = new Date('2027-06-10T19:00:00Z');
const TEXTS = {
  moneyDue: { on: true, text: { en: '{study}: {amount} at {sites}', es: '{amount} para usted' } },
  card: { on: true, text: { en: 'Your card of {amount}:' } },
  couponsExpire: { on: true, text: { en: 'Coupons expire in {days} days' }, daysBefore: 3 },
};

beforeAll(async () => {
  twilio = await startMessaging();
  provider = await openTwilioMessageProvider({ ...MESSAGING, baseUrl: twilio.url }, 400);
  cast.world.deps.config.messages = { provider: 'twilio', ...MESSAGING, baseUrl: twilio.url };
  await setIncentives(cast, USD);
  await setStudy(cast, { name: 'Winter', contacts: 'SMS', messages: TEXTS });
});
afterAll(() => twilio.stop());
beforeEach(async () => {
  cast.world.clock.set(NOON);
  await Promise.all([
    MessageModel.deleteMany({}),
    ContactModel.deleteMany({}),
    TextedNumberModel.deleteMany({}),
  ]);
  Object.assign(twilio, { taken: [], failures: [], lists: true });
  await setStudy(cast, { messages: TEXTS, messagesPerDay: 200 });
});
afterEach(() => {
  cast.world.clock.real();
  expect(twilio.faults).toEqual([]);
});

let phones = 0;
const newPhone = () => `+1206555${String(4000 + phones++)}`;
const contactOf = (phone = newPhone(), language = 'en') => ({ phone, language, consent: true });
const { config } = { config: () => cast.world.deps.config };
/** What a process does each few seconds. */
const work = () =>
  sendDueTexts(
    { config: config(), provider, log: pino({ level: 'silent' }), clock: cast.world.clock.now },
    new AbortController().signal,
  );
/** As if all that waits were due. */
async function workNow(): Promise<void> {
  await MessageModel.updateMany({ state: 'QUEUED' }, { $set: { sendAt: cast.world.clock.now() } });
  await work();
}
const tomorrow = () => cast.world.clock.advance(DAY);
/** A recruiter with a contact, and a recruit for whom 10.00 is due. */
async function recruiter(phone = newPhone()): Promise<{ survey: Body; phone: string }> {
  const survey = await submit(cast, { contact: contactOf(phone) });
  await recruit(cast, survey);
  return { survey, phone };
}
const statesOf = async () =>
  (await MessageModel.find({}).sort({ createdAt: 1, _id: 1 }).lean()).map(({ state }) => state);
const onlyMessage = async () => {
  const [one] = await MessageModel.find({}).lean();
  return one as NonNullable<typeof one>;
};

/** As Twilio calls the service. */
function call(url: string, form: Record<string, string>, signature = sign(url, form)) {
  const path = url.slice(config().publicUrl.length);
  return cast.world.anonymous
    .post(path)
    .type('form')
    .set('X-Twilio-Signature', signature)
    .send(new URLSearchParams(form).toString());
}
const report = (at: number, MessageStatus: string, extra: object = {}) => {
  const { callback, sid } = twilio.taken[at] as MessagingStandIn['taken'][number];
  return call(callback, { MessageSid: sid, MessageStatus, AccountSid: MESSAGING.accountSid, ...extra });
};
let replies = 0;
const reply = (From: string, Text: string, MessageSid = `SM-in-${replies++}`) =>
  call(`${config().publicUrl}/api/messages/twilio`, { From, Body: Text, MessageSid, To: '+12065550000' });

describe('a text about money', () => {
  test('is queued with the incentive for those who agreed, and says the sum as of the last midnight', async () => {
    const { survey, phone } = await recruiter();
    await recruit(cast, await submit(cast));
    expect(await MessageModel.countDocuments()).toBe(1);
    await recruit(cast, survey, 1);
    tomorrow();
    await recruit(cast, survey, 2);
    await workNow();
    expect(twilio.taken).toMatchObject([{ to: phone, body: expect.stringMatching(/^Winter: \$40\.00 at /) }]);
    // The second was told with the first, the third waits for another day.
    expect((await statesOf()).sort()).toEqual(['QUEUED', 'SENT', 'STOPPED']);
  });

  test('waits for afterHours and a random part of a day, and is never sent on the day it became due', async () => {
    await setStudy(cast, { messages: { ...TEXTS, moneyDue: { ...TEXTS.moneyDue, afterHours: 0 } } });
    for (let at = 0; at < 8; at += 1) await recruiter();
    const waits = (await MessageModel.find({}).lean()).map(({ sendAt }) => +sendAt - +NOON);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(DAY);
    expect(new Set(waits.map((wait) => Math.round(wait / 60_000))).size).toBeGreaterThan(5);
    await workNow();
    expect(twilio.taken).toEqual([]);
    tomorrow();
    await workNow();
    expect(twilio.taken).toHaveLength(8);
  });

  test('is not sent once nothing is due, or it was turned off', async () => {
    const { survey } = await recruiter();
    const due = (await owedTo(cast, survey.id)).find(({ kind }) => kind === 'RECRUIT');
    await pay(cast.root, due.id).expect(200);
    await recruiter();
    tomorrow();
    await MessageModel.updateMany({}, { $set: { sendAt: new Date(0) } });
    await setStudy(cast, { messages: { ...TEXTS, moneyDue: { ...TEXTS.moneyDue, on: false } } });
    await work();
    expect(twilio.taken).toEqual([]);
    expect((await MessageModel.find({}).lean()).map(({ error }) => error)).toEqual([
      'TURNED_OFF',
      'TURNED_OFF',
    ]);
  });
});

describe('nobody is texted', () => {
  test('in quiet hours; what is due then is spread over the next day', async () => {
    for (let at = 0; at < 6; at += 1) await recruiter();
    cast.world.clock.set('2027-06-12T04:00:00Z');
    await workNow();
    expect(twilio.taken).toEqual([]);
    const times = (await MessageModel.find({}).lean()).map(({ sendAt }) => sendAt.toISOString());
    for (const time of times) {
      expect(time > '2027-06-12T16:00:00Z' && time < '2027-06-13T03:01:00Z').toBe(true);
    }
    expect(new Set(times).size).toBeGreaterThan(3);
  });

  test('twice a day, even with two interviews, or more often than the study allows', async () => {
    const phone = newPhone();
    await recruiter(phone);
    await recruiter(phone);
    tomorrow();
    await workNow();
    expect(twilio.taken).toHaveLength(1);
    tomorrow();
    await workNow();
    expect(twilio.taken).toHaveLength(2);
    await setStudy(cast, { messagesPerDay: 1 });
    for (let at = 0; at < 3; at += 1) await recruiter();
    tomorrow();
    await workNow();
    await workNow();
    expect(twilio.taken).toHaveLength(3);
  });

  test('a random time of a day is outside of quiet hours', () => {
    const around = { quietHours: { from: '20:00', to: '09:00' }, zone: 'America/Los_Angeles' };
    for (const random of [0, 0.5, 0.9999]) {
      const at = randomTextingTime('2027-06-10', around, () => random).toISOString();
      expect(at >= '2027-06-10T16:00:00.000Z' && at < '2027-06-11T03:00:00.000Z').toBe(true);
    }
  });
});

describe('reports of the provider', () => {
  async function sendMessage(): Promise<void> {
    await recruiter();
    tomorrow();
    await workNow();
    expect(await statesOf()).toEqual(['SENT']);
  }

  test('count in any order, each once', async () => {
    await sendMessage();
    await report(0, 'delivered').expect(204);
    for (const late of ['sent', 'queued', 'failed', 'delivered']) await report(0, late).expect(204);
    expect(await onlyMessage()).toMatchObject({
      state: 'DELIVERED',
      error: null,
      deliveredAt: expect.any(Date),
    });
  });

  test('name why a text did not arrive', async () => {
    await sendMessage();
    await report(0, 'undelivered', { ErrorCode: '30003' }).expect(204);
    expect(await onlyMessage()).toMatchObject({ state: 'FAILED', error: '30003' });
    const { _id } = await onlyMessage();
    await cast.root.post(`/api/messages/${_id}/retry`).expect(200);
    // Of the first try.
    await report(0, 'failed').expect(204);
    tomorrow();
    await work();
    expect(twilio.taken).toHaveLength(2);
    await report(0, 'failed').expect(204);
    expect(await statesOf()).toEqual(['SENT']);
  });

  test('need the signature of the account, of this address and of all fields', async () => {
    await sendMessage();
    const { callback, sid } = twilio.taken[0] as MessagingStandIn['taken'][number];
    const form = { MessageSid: sid, MessageStatus: 'delivered' };
    for (const [url, signature] of [
      [callback, ''],
      [callback, sign(callback, form, 'another token')],
      [callback, sign(callback, { ...form, MessageStatus: 'failed' })],
      [`${callback}9`, sign(callback, form)],
      [callback.split('?')[0] as string, sign(callback, form)],
    ] as const)
      refused(await call(url, form, signature), 403);
    expect(await statesOf()).toEqual(['SENT']);
    const { messages } = config();
    config().messages = { provider: 'console' };
    refused(await call(callback, form), 404);
    config().messages = messages;
  });
});

describe('somebody who replies STOP', () => {
  test('gets nothing more, whatever waits, until START', async () => {
    const { survey, phone } = await recruiter();
    tomorrow();
    await reply(phone, ' Stop ').expect(204);
    await workNow();
    expect(twilio.taken).toEqual([]);
    expect(await onlyMessage()).toMatchObject({ state: 'STOPPED', error: 'STOP' });
    const contact = async () => (await cast.root.get(`/api/surveys/${survey.id}`)).body.contact.state;
    expect(await contact()).toBe('STOPPED');
    expect((await submit(cast, { contact: contactOf(phone) })).contact.state).toBe('STOPPED');
    await reply(phone, 'START').expect(204);
    expect(await contact()).toBe('ACTIVE');
  });

  test('is not started by a reply that comes again', async () => {
    const { phone } = await recruiter();
    const again = { sid: `SM-again-${uuid()}` };
    await reply(phone, 'START', again.sid).expect(204);
    await reply(phone, 'STOP').expect(204);
    await reply(phone, 'START', again.sid).expect(204);
    expect((await ContactModel.findOne({}).lean())?.state).toBe('STOPPED');
    await reply(phone, 'HELP').expect(204);
    await reply('nonsense', 'STOP').expect(204);
  });
});

describe('a provider', () => {
  const dueNow = async () => {
    await recruiter();
    tomorrow();
  };

  test('that is busy is asked again later', async () => {
    await dueNow();
    twilio.failures.push({ status: 429, code: 20429 });
    await workNow();
    expect(await onlyMessage()).toMatchObject({ state: 'QUEUED', day: null });
    cast.world.clock.advance(HOUR);
    await work();
    expect(await statesOf()).toEqual(['SENT']);
  });

  test('that refuses a number or knows of a STOP is believed', async () => {
    await dueNow();
    await recruiter();
    tomorrow();
    twilio.failures.push({ status: 400, code: 21211 }, { status: 400, code: 21610 });
    await workNow();
    expect((await MessageModel.find({}).lean()).map(({ error }) => error).sort()).toEqual(['21211', '21610']);
    expect((await ContactModel.find({}).lean()).map(({ state }) => state).sort()).toEqual([
      'INVALID',
      'STOPPED',
    ]);
  });

  test.each(['hang', 'reset', { status: 502 }] as const)(
    'that does not answer (%j) leaves it unknown; a person may send it again',
    async (failure) => {
      await dueNow();
      twilio.failures.push(failure);
      await workNow();
      expect(await statesOf()).toEqual(['SENDING']);
      cast.world.clock.advance(2 * 60_000);
      await work();
      const { _id, state } = await onlyMessage();
      expect(state).toBe('UNKNOWN');
      refused(await cast.admin.post(`/api/messages/${_id}/retry`), 403);
      await cast.root.post(`/api/messages/${_id}/retry`).expect(200);
      refused(await cast.root.post(`/api/messages/${_id}/retry`), 409, 'INVALID_TRANSITION');
    },
  );

  test('that accepted a text but whose reply was lost is asked, and the text is not sent again', async () => {
    await dueNow();
    twilio.failures.push('lost');
    await workNow();
    twilio.lists = false;
    cast.world.clock.advance(2 * 60_000);
    await work();
    expect(await statesOf()).toEqual(['SENDING']);
    twilio.lists = true;
    await work();
    expect(await statesOf()).toEqual(['SENT']);
    expect(twilio.taken).toHaveLength(1);
    expect((await onlyMessage()).sid).toBe(twilio.taken[0]?.sid);
  });
});

describe('a gift card by SMS', () => {
  async function cardDue(): Promise<{ id: string; phone: string; number: string }> {
    const number = `6039${Date.now()}${phones}`;
    const file = `number,pin,amount,currency\n${number},4321,20.00,USD\n`;
    await cast.root.post('/api/cards/import').set('Content-Type', 'text/csv').send(file).expect(200);
    const phone = newPhone();
    const survey = await submit(cast, { contact: contactOf(phone) });
    const [{ id }] = (await owedTo(cast, survey.id)) as [Body];
    await pay(cast.root, id, { method: 'GIFT_CARD', card: true, deliver: 'SMS' }).expect(200);
    return { id, phone, number };
  }

  test('is sent with its number and PIN, and nothing but the text has them', async () => {
    const { phone, number } = await cardDue();
    await work();
    expect(twilio.taken).toMatchObject([{ to: phone, body: `Your card of $20.00:\n${number} PIN 4321` }]);
    const listed = await cast.admin.get('/api/messages').expect(200);
    for (const secret of [number, phone.slice(2)]) expect(listed.text).not.toContain(secret);
  });

  test('paid to many at once goes to each person, and is delivered', async () => {
    const people = await Promise.all(
      [1, 2, 3].map(async () => {
        const phone = newPhone();
        const { id: survey } = await submit(cast, { contact: contactOf(phone) });
        const [{ id }] = (await owedTo(cast, survey)) as [Body];
        return { id, phone };
      }),
    );
    const numbers = people.map((_, at) => `6039${Date.now()}7${at}`);
    const file = ['number,amount,currency', ...numbers.map((number) => `${number},20.00,USD`)].join('\n');
    await cast.root.post('/api/cards/import').set('Content-Type', 'text/csv').send(file).expect(200);
    const byText = { method: 'GIFT_CARD', card: true, deliver: 'SMS' };
    const payments = people.map(({ id }) => ({ id, clientId: uuid(), ...byText }));
    const { body } = await cast.root.post('/api/incentives/pay', { payments }).expect(200);
    expect(body).toMatchObject({ done: 3, refused: [] });
    expect(JSON.stringify(body)).not.toContain('6039');
    await work();
    expect(twilio.taken.map(({ to }) => to).sort()).toEqual(people.map(({ phone }) => phone).sort());
    const texted = twilio.taken.map(({ body: words }) => numbers.find((number) => words.includes(number)));
    expect(texted.sort()).toEqual(numbers);
    for (const at of [0, 1, 2]) await report(at, 'delivered').expect(204);
    expect(await statesOf()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
  });

  test('that may or may not have been sent is never sent again', async () => {
    await cardDue();
    twilio.failures.push('hang');
    await work();
    cast.world.clock.advance(2 * 60_000);
    await work();
    const { _id, state } = await onlyMessage();
    expect(state).toBe('UNKNOWN');
    const answer = await cast.root.post(`/api/messages/${_id}/retry`);
    expect(refused(answer, 409, 'INVALID_TRANSITION').reason).toBe('CARD_MAY_BE_SENT');
  });

  test('is not sent once its payment was reopened; the next card is', async () => {
    const { id } = await cardDue();
    await cast.root.post(`/api/incentives/${id}/reopen`, { reason: 'wrong person' }).expect(200);
    await work();
    expect([twilio.taken.length, (await onlyMessage()).error]).toEqual([0, 'CARD_VOID']);
    const other = `6039${Date.now()}9`;
    const file = `number,amount,currency\n${other},20.00,USD\n`;
    await cast.root.post('/api/cards/import').set('Content-Type', 'text/csv').send(file).expect(200);
    await pay(cast.root, id, { method: 'GIFT_CARD', card: true, deliver: 'SMS' }).expect(200);
    await work();
    expect(twilio.taken.map(({ body }) => body.endsWith(other))).toEqual([true]);
  });
});

describe('a text about coupons', () => {
  async function expiring(): Promise<Body> {
    const survey = await submit(cast, { contact: contactOf() });
    const expiresAt = new Date(+NOON + 2.5 * DAY);
    const { ReferralCodeModel } = await import('../../src/coupons/referral-codes/model.ts');
    await ReferralCodeModel.updateMany({ survey: oid(survey.id) }, { $set: { expiresAt } });
    return survey;
  }

  test('is sent once to people whose coupons have not been returned', async () => {
    await expiring();
    await submit(cast, { contact: contactOf() });
    await work();
    await workNow();
    await work();
    expect(twilio.taken.map(({ body }) => body)).toEqual(['Coupons expire in 3 days']);
  });

  test('doesn’t reveal to a recruiter that a recruit came without an incentive', async () => {
    // All three came back, and only two of them were eligible.
    const survey = await expiring();
    for (const at of [0, 1, 2]) {
      const one = await recruit(cast, survey, at);
      if (at === 2)
        await cast.root
          .post(`/api/surveys/${one.id}/review`, { state: 'REJECTED', comment: 'x' })
          .expect(200);
    }
    const { IncentiveModel: Incentives } = await import('../../src/interviews/incentives/model.ts');
    await Incentives.deleteOne({ survey: oid(survey.id), state: 'WITHDRAWN' });
    tomorrow();
    await work();
    expect(await MessageModel.countDocuments({ survey: oid(survey.id), kind: 'COUPONS_EXPIRE' })).toBe(1);
  });
});

test('the summary counts texts by kind and state, and people by whether they can be texted', async () => {
  await recruiter();
  const { body } = await cast.admin.get('/api/messages/summary').expect(200);
  expect(body).toMatchObject({ today: 0, contacts: { active: 1, stopped: 0, invalid: 0 } });
  expect(body.byKind[0]).toMatchObject({ kind: 'MONEY_DUE', QUEUED: 1, SENT: 0 });
  refused(await cast.manager.get('/api/messages/summary'), 403);
});
