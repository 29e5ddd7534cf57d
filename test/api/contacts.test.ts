/** Numbers of respondents who agreed to texts: sealed, shown to nobody, and never a reason to refuse an interview. */
import mongoose from 'mongoose';
import { ContactModel, TextedNumberModel } from '../../src/interviews/contacts/model.ts';
import { hashOfPhoneNumber } from '../../src/interviews/contacts/store.ts';
import { eraseOldContacts } from '../../src/interviews/retention/erase-contacts.ts';
import { openSealedText } from '../../src/platform/lib/sealed-text.ts';
import { testConfig } from '../people.ts';
import { sealBody } from '../seal.ts';
import {
  castOfFile,
  collection,
  draft,
  flagsOf,
  oid,
  refused,
  refusedAt,
  setStudy,
  submit,
  uuid,
} from './kit.ts';

const cast = castOfFile();
beforeAll(() => setStudy(cast, { contacts: 'SMS' }));

const PHONE = '+12065550177';
const contact = (phone = PHONE) => ({ phone, language: 'es', consent: true });
const contactOf = async (id: string) => (await cast.root.get(`/api/surveys/${id}`).expect(200)).body.contact;
const storedOf = async (id: string) => await ContactModel.findById(oid(id)).lean();

test('a new study texts nobody, and only a super-admin can change that', async () => {
  const study = (await cast.root.get('/api/study').expect(200)).body;
  expect(study).toMatchObject({
    contactDays: 90,
    quietHours: { from: '20:00', to: '09:00' },
    messagesPerDay: 200,
    messages: {
      moneyDue: { on: false, afterHours: 24 },
      card: { on: false },
      couponsExpire: { on: false, daysBefore: 3 },
    },
  });
  for (const change of [
    { contacts: 'OFF' },
    { contactDays: 1 },
    { contactConsent: { en: 'May we?' } },
    { messages: {} },
    { quietHours: { from: '21:00', to: '08:00' } },
    { messagesPerDay: 1 },
  ])
    refused(await cast.admin.patch('/api/study', change), 403);
});

test('a text has only placeholders that the service fills in', async () => {
  const moneyDue = (text: object) => ({ messages: { moneyDue: { on: true, text } } });
  const good = { en: '{study}: {amount}, {sites}, {days}' };
  await cast.root.patch('/api/study', moneyDue(good)).expect(200);
  for (const odd of ['{name}', 'a {', '} b', '{{study}}', '{Study}'])
    refusedAt(await cast.root.patch('/api/study', moneyDue({ en: odd })), 'messages.moneyDue.text.en');
  refusedAt(await cast.root.patch('/api/study', moneyDue({ en: ' ' })), 'messages.moneyDue.text');
  await setStudy(cast, { messages: {} });
});

test('a number is sealed for its survey, and replies say only that there is one', async () => {
  const survey = await submit(cast, { contact: contact('(206) 555-0177') });
  expect(survey.contact).toEqual({ state: 'ACTIVE', language: 'es' });
  expect(await contactOf(survey.id)).toEqual({ state: 'ACTIVE', language: 'es' });
  const stored = await storedOf(survey.id);
  const { contactKey } = testConfig();
  expect(openSealedText(contactKey, survey.id, stored?.phone ?? '')).toBe(PHONE);
  expect(
    openSealedText(contactKey, new mongoose.Types.ObjectId().toHexString(), stored?.phone ?? ''),
  ).toBeNull();
  expect(stored?.number).toBe(hashOfPhoneNumber(contactKey, PHONE));
});

test.each([
  ['a number that does not exist', contact('+1206555')],
  ['a number of another country', contact('+442079460018')],
  ['no consent', { ...contact(), consent: false }],
  ['no language', { phone: PHONE, consent: true }],
  ['a text', 'call me'],
  ['a list', [PHONE]],
])('%s never refuses an interview: it is dropped, with a flag', async (_, odd) => {
  const survey = await submit(cast, { contact: odd });
  expect([flagsOf(survey), survey.contact]).toEqual([['CONTACT_REFUSED'], null]);
  expect(await storedOf(survey.id)).toBeNull();
});

test('a number that arrives after texts were turned off is dropped, with a flag', async () => {
  await setStudy(cast, { contacts: 'OFF' });
  const survey = await submit(cast, { contact: contact() });
  refusedAt(await cast.volunteer.patch(`/api/surveys/${survey.id}`, { contact: contact() }), 'contact');
  await cast.volunteer.patch(`/api/surveys/${survey.id}`, { contact: null }).expect(200);
  await setStudy(cast, { contacts: 'SMS' });
  expect(flagsOf(survey)).toEqual(['CONTACT_REFUSED']);
  expect(await storedOf(survey.id)).toBeNull();
});

test('a sealed interview brings its number in the sealed part', async () => {
  const clientId = uuid();
  const sealed = await sealBody({ ...draft(cast), clientId, contact: contact() }, cast.volunteer.id);
  refusedAt(await cast.volunteer.post('/api/surveys', { ...sealed, contact: contact() }), 'contact');
  const { id } = (await cast.volunteer.post('/api/surveys', sealed).expect(201)).body;
  expect(await contactOf(id)).toEqual({ state: 'ACTIVE', language: 'es' });
});

test('people who may update a survey can replace or delete the number; the history says only that it changed', async () => {
  const { id } = await submit(cast);
  expect(await contactOf(id)).toBeNull();
  const path = `/api/surveys/${id}`;
  refusedAt(await cast.volunteer.patch(path, { contact: contact('+442079460018') }), 'contact.phone');
  refusedAt(
    await cast.volunteer.patch(path, { contact: { ...contact(), consent: false } }),
    'contact.consent',
  );
  const { body } = await cast.volunteer.patch(path, { contact: contact() }).expect(200);
  expect(body).toMatchObject({ contact: { state: 'ACTIVE', language: 'es' }, version: 2 });
  await cast.volunteer.patch(path, { contact: { ...contact('+12065550178'), language: 'en' } }).expect(200);
  expect(await contactOf(id)).toEqual({ state: 'ACTIVE', language: 'en' });
  expect(await collection('contacts').countDocuments({ _id: oid(id) })).toBe(1);
  await cast.volunteer.patch(path, { contact: null }).expect(200);
  expect(await contactOf(id)).toBeNull();
  const history = (await cast.root.get(`${path}/history`).expect(200)).body;
  expect(
    history.flatMap(({ changes }: { changes: { path: string }[] }) => changes.map(({ path }) => path)),
  ).toEqual(['contact', 'contact', 'contact']);
  const other = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  refused(await other.patch(path, { contact: null }), 403);
});

test('someone who replied STOP stays unsubscribed under another interview', async () => {
  const number = hashOfPhoneNumber(testConfig().contactKey, '+12065550179');
  await TextedNumberModel.collection.insertOne({ number, stoppedAt: new Date(), textedOn: null } as never);
  const survey = await submit(cast, { contact: contact('+12065550179') });
  expect(survey.contact).toEqual({ state: 'STOPPED', language: 'es' });
});

test('the same interview with another number is the same interview', async () => {
  const body = { ...draft(cast), clientId: uuid(), contact: contact() };
  await cast.volunteer.post('/api/surveys', body).expect(201);
  const again = await cast.volunteer.post('/api/surveys', { ...body, contact: contact('+12065550178') });
  expect([again.status, again.body.contact]).toEqual([200, { state: 'ACTIVE', language: 'es' }]);
});

test('an interview that is refused leaves no number behind', async () => {
  await ContactModel.deleteMany({});
  const body = { ...draft(cast), issuedCodes: ['ABCD-EFGC'], onCodeProblem: 'REJECT', contact: contact() };
  refusedAt(await cast.volunteer.post('/api/surveys', body), 'issuedCodes.0');
  const sent = { ...draft(cast), clientId: uuid(), contact: contact() };
  await cast.volunteer.post('/api/surveys', sent).expect(201);
  await cast.volunteer.post('/api/surveys', sent).expect(200);
  expect(await ContactModel.countDocuments()).toBe(1);
});

test('erasing an interview erases the number', async () => {
  const { id } = await submit(cast, { contact: contact() });
  await cast.root.post(`/api/surveys/${id}/erase`, { reason: 'asked' }).expect(200);
  expect(await storedOf(id)).toBeNull();
  refused(await cast.root.patch(`/api/surveys/${id}`, { contact: contact() }), 409, 'INVALID_TRANSITION');
});

test('no number is in any collection in plaintext, nor in lists and files', async () => {
  const { id } = await submit(cast, { contact: contact() });
  await cast.volunteer.patch(`/api/surveys/${id}`, { contact: contact('+12065550178') }).expect(200);
  for (const { collectionName } of (await mongoose.connection.db?.collections()) ?? []) {
    const all = JSON.stringify(await collection(collectionName).find().toArray());
    for (const phone of ['2065550177', '2065550178'])
      expect([collectionName, all.includes(phone)]).toEqual([collectionName, false]);
  }
  const list = await cast.root.get('/api/surveys?fields=full&limit=200').expect(200);
  expect(list.text).not.toContain('contact"');
});

describe('numbers are erased at night', () => {
  const ZONE = 'America/Los_Angeles';
  const noon = (day: string) => new Date(`${day}T20:00:00Z`);
  const left = async (day: string): Promise<boolean[]> => {
    await eraseOldContacts(noon(day), ZONE);
    return await Promise.all(ids.map(async (id) => (await storedOf(id)) !== null));
  };
  let ids: string[] = [];
  beforeEach(async () => {
    await Promise.all([ContactModel.deleteMany({}), TextedNumberModel.deleteMany({})]);
    await setStudy(cast, { endsOn: null, contactDays: 90, timeZone: ZONE });
    const responses = [
      await submit(cast, { contact: contact() }),
      await submit(cast, { contact: contact('+12065550178') }),
    ];
    ids = responses.map(({ id }) => id);
    await ContactModel.updateMany({}, { $set: { consentedAt: noon('2027-02-01') } });
  });

  test('contactDays after the end date of the round, and not a day earlier', async () => {
    await setStudy(cast, { endsOn: '2027-03-01', contactDays: 10 });
    expect(await left('2027-03-10')).toEqual([true, true]);
    expect(await left('2027-03-11')).toEqual([false, false]);
    const event = await collection('auditevents').findOne({ 'changes.path': 'contactsErased' });
    expect(event).toMatchObject({ action: 'erase', subject: 'Study', by: null });
  });

  test('contactDays after the round was closed, if it has no end date', async () => {
    const round = (await collection('surveys').findOne({ _id: oid(ids[0] ?? '') }))?.round;
    const rounds = collection('rounds');
    const before = await rounds.findOne({ _id: round });
    const closed = { state: 'CLOSED', endsOn: null, closedAt: noon('2027-03-05'), settings: {} };
    await rounds.updateOne({ _id: round }, { $set: closed });
    try {
      expect(await left('2027-06-02')).toEqual([true, true]);
      expect(await left('2027-06-03')).toEqual([false, false]);
    } finally {
      await rounds.replaceOne({ _id: round }, before ?? {});
    }
  });

  test('400 days after the person agreed, even if the study goes on', async () => {
    await ContactModel.updateOne({ _id: oid(ids[1] ?? '') }, { $set: { consentedAt: noon('2026-01-01') } });
    expect(await left('2027-02-04')).toEqual([true, true]);
    expect(await left('2027-02-05')).toEqual([true, false]);
  });

  test('14 days after STOP; its hash stays, without the interview, and others’ hashes go', async () => {
    const number = hashOfPhoneNumber(testConfig().contactKey, '+12065550178');
    const stoppedAt = noon('2027-02-02');
    await ContactModel.updateOne({ _id: oid(ids[1] ?? '') }, { $set: { state: 'STOPPED', stoppedAt } });
    await TextedNumberModel.collection.insertMany([
      { number, stoppedAt, textedOn: '2027-02-01' },
      { number: hashOfPhoneNumber(testConfig().contactKey, PHONE), stoppedAt: null, textedOn: '2027-02-01' },
    ] as never[]);
    expect(await left('2027-02-15')).toEqual([true, true]);
    expect(await left('2027-02-16')).toEqual([true, false]);
    const numbers = await TextedNumberModel.find({}).lean();
    expect(numbers.map((one) => one.number)).toEqual([number]);
    expect(JSON.stringify(numbers)).not.toContain(ids[1]);
  });
});
