/** Gift cards: imported whole or not at all, one for each payment whatever happens at once, and sealed. */
import { CardModel } from '../../src/interviews/cards/model.ts';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { owedTo, pay, setIncentives, USD } from './incentive-kit.ts';
import {
  castOfFile,
  collection,
  DAY,
  oid,
  refused,
  refusedAt,
  setStudy,
  submit,
  tally,
  times,
  uuid,
} from './kit.ts';

const cast = castOfFile();
beforeAll(async () => {
  await setIncentives(cast, USD);
  await setStudy(cast, { contacts: 'SMS', messages: { card: { on: true } } });
});
afterEach(async () => {
  cast.world.clock.real();
  await CardModel.deleteMany({});
});

const HEAD = 'number,pin,link,amount,currency,expiresOn';
let serial = 0;
function numbers(count: number): string[] {
  serial += count;
  return times(count, (at) => `6039${900_000_000 + serial - at}`);
}
const lineOf = (number: string, rest = '20.00,USD,2099-12-31') => `${number},4321,,${rest}`;
const importing = (lines: string[], person = cast.root) =>
  person
    .post('/api/cards/import')
    .set('Content-Type', 'text/csv')
    .send([HEAD, ...lines].join('\r\n'));
async function stock(count: number): Promise<string[]> {
  const cardNumbers = numbers(count);
  expect((await importing(cardNumbers.map((one) => lineOf(one))).expect(200)).body).toEqual({
    imported: count,
  });
  return cardNumbers;
}
async function dueNow(fields: object = {}): Promise<{ survey: Body; id: string }> {
  const survey = await submit(cast, fields as Record<string, unknown>);
  const [incentive] = await owedTo(cast, survey.id);
  return { survey, id: incentive.id as string };
}
const byCard = { method: 'GIFT_CARD', card: true };
const contact = { phone: '+12065550177', language: 'en', consent: true };
const shownTo = (person: Person, id: string) => person.get(`/api/incentives/${id}/card`);

describe('an import', () => {
  test('lists each faulty or repeated line, and then stores nothing', async () => {
    const [first, second] = numbers(2) as [string, string];
    const answer = await importing([
      lineOf(first),
      ',1,,20.00,USD,',
      lineOf(second, '20,USD,'),
      lineOf(second, '20.00,XXX,'),
      lineOf(second, '20.00,USD,2020-01-01'),
      lineOf(second, '20.00,USD,soon'),
      ',,ftp://cards.example.org/1,20.00,USD,',
      lineOf(first.replace(/(\d{4})/, '$1-')),
    ]);
    expect(
      refused(answer, 400, 'VALIDATION_ERROR').errors.map(({ path, code }: Body) => [path, code]),
    ).toEqual([
      ['lines.3.number', 'CARD_WITHOUT_NUMBER'],
      ['lines.4.amount', 'NOT_AMOUNT'],
      ['lines.5.currency', 'NOT_CURRENCY'],
      ['lines.6.expiresOn', 'CARD_EXPIRED'],
      ['lines.7.expiresOn', 'NOT_DAY'],
      ['lines.8.link', 'NOT_LINK'],
      ...[5, 6, 7].map((line) => [`lines.${line}`, 'CARD_REPEATED']),
      ['lines.9', 'CARD_REPEATED'],
    ]);
    expect(answer.text).not.toContain(first);
    expect(await CardModel.countDocuments()).toBe(0);
  });

  test('tells phones that there are cards, which nobody can set by hand', async () => {
    const study = async () => (await cast.volunteer.get('/api/study').expect(200)).body;
    expect((await study()).giftCards).toBe(false);
    refusedAt(await cast.root.patch('/api/study', { giftCards: true }), '');
    await stock(1);
    expect((await study()).giftCards).toBe(true);
  });

  test('of the same file again is refused, also of two at once', async () => {
    const lines = numbers(3).map((one) => lineOf(one));
    const answers = await Promise.all([importing(lines), importing(lines)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await CardModel.countDocuments()).toBe(3);
  });

  test('needs the right to create cards, at most 1,000 lines and a CSV file', async () => {
    refused(await importing([lineOf('1')], cast.admin), 403);
    refused(await cast.admin.get('/api/cards/summary'), 403);
    refusedAt(await importing(numbers(1001).map((one) => lineOf(one))), '');
    refusedAt(await importing([]), '');
    refused(await cast.root.post('/api/cards/import', { number: '1' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

test.each([
  ['is not UTF-8', [0xff, 0x31, 0x0a]],
  ['is UTF-16, cut off within a character', [0xff, 0xfe, 0x41]],
])('a file that %s is refused', async (_, bytes) => {
  const send = cast.root.post('/api/cards/import').set('Content-Type', 'text/csv').send(Buffer.from(bytes));
  refused(await send, 400, 'MALFORMED_JSON');
});

describe('a payment with a card', () => {
  test('shows the card to its payer, again for the same clientId, and again for a day', async () => {
    const [number] = await stock(1);
    const { id, survey } = await dueNow();
    const body = { ...byCard, clientId: uuid() };
    const first = await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200);
    const card = { number, pin: '4321', link: null, expiresOn: '2099-12-31' };
    expect(first.body).toMatchObject({ state: 'PAID', method: 'GIFT_CARD', card });
    expect(first.body.reference).toBe(`…${number?.slice(-4)}`);
    const again = await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200);
    expect(again.body.card).toEqual(card);
    expect((await shownTo(cast.volunteer, id).expect(200)).body).toEqual(card);
    refused(await shownTo(cast.admin, id), 403);
    expect((await shownTo(cast.root, id).expect(200)).body).toEqual(card);
    cast.world.clock.advance(DAY);
    refused(await shownTo(cast.volunteer, id), 403);
    expect((await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200)).body.card).toBeNull();
    const reads = await collection('auditevents')
      .find({ record: oid(id), action: 'read' })
      .toArray();
    expect(reads.map(({ by }) => String(by)).sort()).toEqual([cast.volunteer.id, cast.root.id].sort());
    expect((await owedTo(cast, survey.id))[0].card).toBeUndefined();
  });

  test('by 40 payers at once for the last card: one gets it', async () => {
    await stock(1);
    const due = await Promise.all(times(40, () => dueNow()));
    const answers = await Promise.all(due.map(({ id }) => pay(cast.volunteer, id, byCard)));
    expect(tally(answers)).toEqual({ 200: 1, '409 NO_CARD_LEFT': 39 });
    const givenCards = await CardModel.find({ state: 'GIVEN' }).lean();
    const paid = answers.findIndex(({ status }) => status === 200);
    expect(givenCards.map(({ incentive }) => String(incentive))).toEqual([due[paid]?.id]);
  }, 60_000);

  test('takes an unexpired card of exactly the amount, the one that expires first', async () => {
    const { id } = await dueNow();
    const [odd, old, dated, undated] = numbers(4) as [string, string, string, string];
    await importing([lineOf(odd, '10.00,USD,'), lineOf(old, '20.00,USD,2030-01-01')]).expect(200);
    cast.world.clock.set('2030-06-01T18:00:00Z');
    refused(await pay(cast.root, id, byCard), 409, 'NO_CARD_LEFT');
    await importing([lineOf(undated, '20.00,USD,'), lineOf(dated, '20.00,USD,2031-01-01')]).expect(200);
    expect((await pay(cast.root, id, byCard).expect(200)).body.card.number).toBe(dated);
  });

  test('refuses another method, a delivery without a card, and bulk payments that would show cards', async () => {
    await stock(1);
    const { id } = await dueNow();
    refusedAt(await pay(cast.root, id, { method: 'CASH', card: true }), 'card');
    refusedAt(await pay(cast.root, id, { method: 'GIFT_CARD', deliver: 'SMS' }), 'card');
    const bulk = (fields: object) =>
      cast.root.post('/api/incentives/pay', { payments: [{ id, clientId: uuid(), ...byCard, ...fields }] });
    refusedAt(await bulk({}), 'payments.0.deliver');
    expect((await bulk({ deliver: 'SMS' }).expect(200)).body).toMatchObject({ done: 0, refused: [{ id }] });
    expect(await CardModel.countDocuments({ state: 'FREE' })).toBe(1);
  });

  test('by SMS shows the card to nobody, and needs a contact', async () => {
    await stock(3);
    const without = await dueNow();
    refused(await pay(cast.root, without.id, { ...byCard, deliver: 'SMS' }), 409, 'NO_CONTACT');
    const { id } = await dueNow({ contact });
    const body = { ...byCard, deliver: 'SMS', clientId: uuid() };
    expect((await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200)).body.card).toBeNull();
    expect((await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200)).body.card).toBeNull();
    refused(await shownTo(cast.volunteer, id), 403);
    const [message] = await collection('messages')
      .find({ incentive: oid(id) })
      .toArray();
    expect(message).toMatchObject({ kind: 'CARD', state: 'QUEUED' });
    await collection('messages').updateOne({ incentive: oid(id) }, { $set: { state: 'FAILED' } });
    expect((await shownTo(cast.volunteer, id).expect(200)).body.pin).toBe('4321');
  });

  test('that is reopened voids its card; the former payer is not shown the next one', async () => {
    const [one, other] = await stock(2);
    const { id, survey } = await dueNow({ contact });
    const body = { ...byCard, clientId: uuid() };
    const first = (await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200)).body.card.number;
    await cast.root.post(`/api/incentives/${id}/reopen`, { reason: 'wrong person' }).expect(200);
    expect((await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200)).body).toMatchObject({
      state: 'DUE',
      card: null,
    });
    const second = (await pay(cast.root, id, { ...byCard, code: survey.referralCode }).expect(200)).body.card;
    expect([first, second.number].sort()).toEqual([one, other].sort());
    expect((await cast.volunteer.post(`/api/incentives/${id}/pay`, body).expect(200)).body.card).toBeNull();
    refused(await shownTo(cast.volunteer, id), 403);
    const states = (await CardModel.find({}).lean()).map(({ state }) => state).sort();
    expect(states).toEqual(['GIVEN', 'VOID']);
  });
});

test('the list shows each card by its last four characters, and never its number, PIN, link or hashes', async () => {
  const [first, second] = (await stock(2)) as [string, string];
  await importing([',,https://cards.example.org/r/abcd,10.00,USD,']).expect(200);
  const { id } = await dueNow();
  await pay(cast.volunteer, id, byCard).expect(200);
  const all = await cast.root.get('/api/cards?total=true').expect(200);
  expect(all.body).toMatchObject({ total: 3, nextCursor: null });
  for (const secret of [first, second, '4321', 'https:', 'sealed', 'hashes'])
    expect(all.text).not.toContain(secret);
  const of = async (query: string) => {
    const { body } = await cast.root.get(`/api/cards?${query}`).expect(200);
    return body.data.map(({ lastFour }: Body) => lastFour).sort();
  };
  const [givenCard] = (await cast.root.get('/api/cards?state=GIVEN').expect(200)).body.data;
  expect(givenCard).toMatchObject({
    incentive: id,
    givenBy: cast.volunteer.id,
    delivery: 'SHOWN',
    reason: null,
  });
  expect(await of(`state=FREE&amount=20.00`)).toEqual(
    [first, second].map((one) => one.slice(-4)).filter((one) => one !== givenCard.lastFour),
  );
  expect(await of('amount=10.00')).toEqual(['abcd']);
  expect(await of(`lastFour=${first.slice(-4)}`)).toEqual([first.slice(-4)]);
  expect(await of(`givenBy=${cast.volunteer.id}`)).toEqual([givenCard.lastFour]);
  refused(await cast.admin.get('/api/cards'), 403);
});

test('a free card can be voided, an assigned one cannot; the summary counts them', async () => {
  await stock(3);
  const { id } = await dueNow();
  await pay(cast.root, id, byCard).expect(200);
  const [givenCard, free] = await Promise.all([
    CardModel.findOne({ state: 'GIVEN' }),
    CardModel.findOne({ state: 'FREE' }),
  ]);
  const voiding = (card: Body, person = cast.root) =>
    person.post(`/api/cards/${card._id}/void`, { reason: 'the vendor says so' });
  refused(await voiding(givenCard), 409, 'INVALID_TRANSITION');
  refused(await voiding(free, cast.admin), 403);
  expect((await voiding(free).expect(200)).body).toMatchObject({ state: 'VOID', lastFour: free?.lastFour });
  refused(await voiding(free), 409, 'INVALID_TRANSITION');
  expect((await cast.root.get('/api/cards/summary').expect(200)).body).toEqual({
    data: [
      {
        amount: '20.00',
        currency: 'USD',
        free: 1,
        given: 1,
        void: 1,
        expiresFirst: '2099-12-31',
        isLow: true,
      },
    ],
  });
});

test('erasing an interview erases the numbers of its cards; no number is in any collection in plaintext', async () => {
  const cardNumbers = await stock(2);
  const { id, survey } = await dueNow();
  await pay(cast.root, id, byCard).expect(200);
  for (const name of ['cards', 'auditevents', 'incentives', 'messages']) {
    const all = JSON.stringify(await collection(name).find().toArray());
    for (const number of cardNumbers) expect([name, all.includes(number)]).toEqual([name, false]);
  }
  await cast.root.post(`/api/surveys/${survey.id}/erase`, { reason: 'asked' }).expect(200);
  expect(await CardModel.findOne({ state: 'GIVEN' }).lean()).toMatchObject({ sealed: '' });
  refused(await shownTo(cast.root, id), 404);
});
