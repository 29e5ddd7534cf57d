/**
 * Two processes pay with gift cards and text them, and are killed at random while people reply STOP: each payment has one card,
 * each card one payment, and the provider gets each text at most once. CARDS_IN_DRILL=2000 KILLS_IN_DRILL=8 is the long form.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { hashOfPhoneNumber } from '../../src/interviews/contacts/store.ts';
import { sealText } from '../../src/platform/lib/sealed-text.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { surveyRecord } from '../make.ts';
import { MESSAGING, type MessagingStandIn, sign, startMessaging } from '../messaging-stand-in.ts';
import { ask, endProcess, newFolder, type ServiceProcess, startProcess, tokenOf } from './service-process.ts';

const CARDS = Number(process.env.CARDS_IN_DRILL ?? 60);
const KILLS = Number(process.env.KILLS_IN_DRILL ?? 2);
const CONTACT_KEY = 'a key for contacts in this drill, longer than forty characters';
const PUBLIC_URL = 'http://survey.test';
const { ObjectId } = mongoose.Types;

const database = `drill_${randomUUID().slice(0, 8)}`;
const base = new URL(process.env.TEST_MONGO_URI ?? 'mongodb://127.0.0.1');
base.pathname = `/${database}`;
const uri = String(base);
const client = new mongoose.mongo.MongoClient(uri);
const db = client.db(database);

const services: ServiceProcess[] = [];
let output = '';
let twilio: MessagingStandIn;

beforeAll(async () => {
  twilio = await startMessaging();
});
afterAll(async () => {
  services.forEach(endProcess);
  await db.dropDatabase();
  await client.close();
  await twilio.stop();
});

async function start(at: number): Promise<void> {
  const service = await startProcess({
    dataDir: newFolder(),
    env: {
      ...{ MONGO_URI: uri, CONTACT_KEY, PUBLIC_URL, MESSAGE_PROVIDER: 'twilio', TZ: 'UTC' },
      ...{ TWILIO_ACCOUNT_SID: MESSAGING.accountSid, TWILIO_AUTH_TOKEN: MESSAGING.authToken },
      ...{ TWILIO_MESSAGING_SERVICE_SID: MESSAGING.serviceSid, TWILIO_BASE_URL: twilio.url },
    },
  });
  services[at] = service;
  await service.until('The service is up', 120_000);
}

function kill(at: number): void {
  const service = services[at] as ServiceProcess;
  process.kill(-(service.child.pid ?? 0), 'SIGKILL');
  output += service.said();
}

const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
const phoneAt = (at: number) => `+1206555${String(1000 + at)}`;
const cardAt = (at: number) => `60395012${String(10_000_000 + at)}`;

/** A person for each card, who is owed the amount of it; every second one can be texted. */
async function prepare(): Promise<{ token: string; due: { id: string; phone: string | null }[] }> {
  const [admin, site] = [new ObjectId(), new ObjectId()];
  const at = { createdAt: new Date(), updatedAt: new Date(), deletedAt: null };
  await db.collection('locations').insertOne({ _id: site, name: 'Site', type: 'SHELTER', ...at });
  await db.collection('users').insertOne({
    ...{ _id: admin, firstName: 'Ada', lastName: 'Field', phone: '+12065550101', email: null },
    ...{
      role: 'SUPER_ADMIN',
      approvalStatus: 'APPROVED',
      approvedBy: null,
      permissions: [],
      createdBy: null,
    },
    ...{ location: site, locationAssignedAt: new Date(), ...at },
  });
  const token = tokenOf(admin);
  const [service] = services as [ServiceProcess];
  const settings = {
    ...{ contacts: 'SMS', messagesPerDay: 10_000, timeZone: 'UTC' },
    incentives: { currency: 'USD', interview: '20.00' },
    messages: { card: { on: true, text: { en: 'Your card of {amount}:' } } },
    quietHours: { from: clock(6), to: clock(7) },
  };
  expect((await ask(service, 'PATCH', '/api/study', { token, body: settings })).status).toBe(200);
  const numbers = Array.from({ length: CARDS }, (_, index) => cardAt(index));
  for (let from = 0; from < CARDS; from += 1_000) {
    const lines = numbers.slice(from, from + 1_000).map((number) => `${number},20.00,USD`);
    const answer = await fetch(`${service.url}/api/cards/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: ['number,amount,currency', ...lines].join('\n'),
    });
    expect(answer.status).toBe(200);
  }
  const people = numbers.map((_, index) => ({ survey: new ObjectId(), id: new ObjectId(), index }));
  await db
    .collection('surveys')
    .insertMany(
      people.map(({ survey }) =>
        surveyRecord({ _id: survey, location: site, createdBy: admin, responses: {} }, new Date()),
      ),
    );
  await db.collection('incentives').insertMany(
    people.map(({ survey, id }) => ({
      ...{
        _id: id,
        survey,
        kind: 'INTERVIEW',
        recruit: null,
        amount: '20.00',
        currency: 'USD',
        state: 'DUE',
      },
      ...{ byHand: false, method: null, reference: null, paidBy: null, paidAt: null, recordedAt: null },
      ...{ location: null, reason: null, site, round: FIRST_ROUND_ID, payments: [] },
      ...{ createdAt: at.createdAt, updatedAt: at.updatedAt },
    })),
  );
  const texted = people.filter(({ index }) => index % 2 === 0);
  await db.collection('contacts').insertMany(
    texted.map(({ survey, index }) => ({
      ...{ _id: survey, phone: sealText(CONTACT_KEY, survey.toHexString(), phoneAt(index)) },
      ...{ number: hashOfPhoneNumber(CONTACT_KEY, phoneAt(index)), language: 'en', consentedAt: new Date() },
      ...{ state: 'ACTIVE', stoppedAt: null },
    })),
  );
  const due = people.map(({ id, index }) => ({
    id: id.toHexString(),
    phone: index % 2 === 0 ? phoneAt(index) : null,
  }));
  return { token, due };
}

/** As a phone does: sent again with the same clientId until there is an answer. Null if the person can't be texted any more. */
async function payOnce(token: string, { id, phone }: { id: string; phone: string | null }): Promise<number> {
  const clientId = randomUUID();
  const body = { method: 'GIFT_CARD', card: true, clientId, ...(phone && { deliver: 'SMS' }) };
  for (;;) {
    const service = services[randomInt(services.length)] as ServiceProcess;
    const answer = await ask(service, 'POST', `/api/incentives/${id}/pay`, { token, body }).catch(() => null);
    if (answer && answer.status !== 503) return answer.status;
    await sleep(100);
  }
}

/** STOP, until a process has heeded it. Returns how many texts the provider had by then. */
async function stop(phone: string): Promise<number> {
  const form = { From: phone, Body: 'STOP', MessageSid: `SM${randomUUID()}` };
  const signature = sign(`${PUBLIC_URL}/api/messages/twilio`, form);
  for (;;) {
    const service = services[randomInt(services.length)] as ServiceProcess;
    const answer = await fetch(`${service.url}/api/messages/twilio`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      },
      body: new URLSearchParams(form),
    }).catch(() => null);
    if (answer?.status === 204) return twilio.taken.length;
    await sleep(100);
  }
}

/** Until each text has an end: those whose sender was killed are asked about, which time alone would do after 90 seconds. */
async function untilEnded(): Promise<void> {
  const messages = db.collection('messages');
  for (const _ of Array.from({ length: 120 })) {
    if ((await messages.countDocuments({ state: { $in: ['QUEUED', 'SENDING'] } })) === 0) return;
    await sleep(5_000);
    if ((await messages.countDocuments({ state: 'QUEUED' })) > 0) continue;
    const before = { state: 'SENDING', claimedAt: { $lt: new Date(Date.now() - 15_000) } };
    await messages.updateMany(before, { $set: { claimedAt: new Date(Date.now() - 120_000) } });
  }
  throw new Error('texts have no end');
}

test('each payment has one card, each card one payment, and each text is sent at most once', async () => {
  await start(0);
  await start(1);
  const { token, due } = await prepare();
  const open = [...due];
  const statuses: number[] = [];
  const payers = Array.from({ length: 8 }, async () => {
    for (let one = open.pop(); one; one = open.pop()) statuses.push(await payOnce(token, one));
  });
  for (let at = 0; at < CARDS / 10; at += 1)
    twilio.failures.push(at % 3 === 0 ? 'lost' : at % 3 === 1 ? { status: 502 } : 'reset');
  const stopped = new Map<string, number>();
  const stopping = (async () => {
    for (const { phone } of due.filter(({ phone: givenPhone }) => givenPhone).slice(0, CARDS / 10)) {
      await sleep(200);
      stopped.set(phone as string, await stop(phone as string));
    }
  })();
  for (let count = 0; count < KILLS; count += 1) {
    await sleep(500 + randomInt(1_500));
    kill(count % 2);
    await start(count % 2);
  }
  await Promise.all([...payers, stopping]);
  // Those who replied STOP before they were paid can't be texted.
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  await untilEnded();

  const cards = await db.collection('cards').find({ state: 'GIVEN' }).toArray();
  const paid = await db.collection('incentives').find({ state: 'PAID' }).toArray();
  const ids = (all: { _id: unknown }[]) => all.map(({ _id }) => String(_id)).sort();
  expect(cards.map(({ incentive }) => String(incentive)).sort()).toEqual(ids(paid));
  expect(paid).toHaveLength(statuses.filter((status) => status === 200).length);
  expect(await db.collection('messages').countDocuments({ state: { $in: ['QUEUED', 'SENDING'] } })).toBe(0);
  const callbacks = twilio.taken.map(({ callback }) => callback.split('=')[1]?.split('.')[0]);
  expect(new Set(callbacks).size).toBe(callbacks.length);
  expect(new Set(twilio.taken.map(({ body }) => body)).size).toBe(callbacks.length);
  for (const [phone, before] of stopped)
    expect(twilio.taken.slice(before).filter(({ to }) => to === phone)).toEqual([]);

  for (const service of services) output += service.said();
  const stored = await Promise.all(
    (await db.collections()).map(async (one) => JSON.stringify(await one.find().toArray())),
  );
  const secrets = due.flatMap((_, at) => [cardAt(at), phoneAt(at).slice(2)]);
  expect(secrets.filter((secret) => stored.some((text) => text.includes(secret)))).toEqual([]);
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  const messages = await db
    .collection('messages')
    .aggregate([{ $group: { _id: '$state', count: { $sum: 1 } } }])
    .toArray();
  process.stdout.write(
    `${JSON.stringify({ cards: CARDS, kills: KILLS, paid: paid.length, taken: callbacks.length, messages })}\n`,
  );
}, 900_000);
