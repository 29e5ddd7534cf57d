/** An accountant's month of cash, gift cards and texts: the files, the totals and the vendor's list agree to the cent. */
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import type { Body } from '../make.ts';
import { owedTo, pay, setIncentives, USD } from './incentive-kit.ts';
import { castOfFile, DAY, makeStudyOld, setStudy, submit, times } from './kit.ts';

const cast = castOfFile();

const rowsOf = async (path: string): Promise<Record<string, string>[]> => {
  const { text } = await cast.root.get(path).buffer(true).expect(200);
  const [names = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, '')).map(({ cells }) => cells);
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
};
const sum = (rows: Record<string, string>[]) => rows.reduce((all, { amount }) => all + Number(amount), 0);

test('the month’s payments in cash and by card add up, and cards.csv names each card of the vendor’s list', async () => {
  await makeStudyOld();
  cast.world.clock.set('2026-05-01T18:00:00Z');
  await setIncentives(cast, { ...USD, recruit: null });
  await setStudy(cast, { contacts: 'SMS', messages: { card: { on: true } }, timeZone: 'UTC' });
  cast.world.clock.set('2026-05-20T18:00:00Z');
  const vendor = times(6, (at) => `60399100000${at}`);
  const file = [
    'number,pin,amount,currency,expiresOn',
    ...vendor.map((one) => `${one},77${one.at(-1)}1,20.00,USD,2099-12-31`),
  ];
  await cast.root.post('/api/cards/import').set('Content-Type', 'text/csv').send(file.join('\n')).expect(200);
  const due = async (fields: object = {}): Promise<{ survey: Body; id: string }> => {
    const survey = await submit(cast, fields as Record<string, unknown>);
    return { survey, id: (await owedTo(cast, survey.id))[0].id };
  };
  const byCard = { method: 'GIFT_CARD', card: true };
  // In May one by card, in June two in cash, two by card of which one is texted, and one that was a mistake.
  await pay(cast.volunteer, (await due()).id, byCard).expect(200);
  cast.world.clock.set('2026-06-10T18:00:00Z');
  for (const _ of [1, 2]) await pay(cast.volunteer, (await due()).id).expect(200);
  await pay(cast.volunteer, (await due()).id, byCard).expect(200);
  const contact = { phone: '+12065550177', language: 'en', consent: true };
  await pay(cast.volunteer, (await due({ contact })).id, { ...byCard, deliver: 'SMS' }).expect(200);
  const mistake = await due();
  await pay(cast.volunteer, mistake.id, byCard).expect(200);
  await cast.root.post(`/api/incentives/${mistake.id}/reopen`, { reason: 'Wrong person.' }).expect(200);
  await pay(cast.volunteer, mistake.id).expect(200);
  cast.world.clock.advance(30 * DAY);

  const june = { from: '2026-06-01', to: '2026-06-30' };
  const cards = await rowsOf(`/api/exports/cards.csv?from=${june.from}&to=${june.to}`);
  const paid = (await rowsOf(`/api/exports/incentives.csv?paidFrom=${june.from}&paidTo=${june.to}`)).filter(
    ({ state }) => state === 'PAID',
  );
  const { body } = await cast.root.get(`/api/incentives/summary?from=${june.from}&to=${june.to}`).expect(200);
  expect(cards.map(({ state, delivery }) => `${state} ${delivery}`).sort()).toEqual(
    ['GIVEN SHOWN', 'GIVEN SMS', 'VOID SHOWN'].sort(),
  );
  // Each card is one of the vendor's, by its last characters alone.
  for (const { last_four: lastFour, amount, currency, paid_by_name: name, given_day: day } of cards) {
    expect(vendor.filter((one) => one.endsWith(lastFour ?? '?'))).toHaveLength(1);
    expect([amount, currency, day]).toEqual(['20.00', 'USD', '2026-06-10']);
    expect(name).toMatch(/\S/);
  }
  for (const one of vendor) expect(JSON.stringify([cards, paid])).not.toContain(one);
  // What was spent on cards is what the vendor bills: also those that were voided after they were shown.
  const givenCards = cards.filter(({ state }) => state === 'GIVEN');
  const byMethod = (method: string) => paid.filter((one) => one.method === method);
  expect(sum(byMethod('GIFT_CARD'))).toBe(sum(givenCards));
  expect(
    byMethod('GIFT_CARD')
      .map(({ reference }) => reference)
      .sort(),
  ).toEqual(givenCards.map(({ last_four: lastFour }) => `…${lastFour}`).sort());
  expect(givenCards.map(({ incentive_id: id }) => id).sort()).toEqual(
    byMethod('GIFT_CARD')
      .map(({ id }) => id)
      .sort(),
  );
  expect(body.paid).toEqual({ count: 5, total: '100.00' });
  expect(body.byMethod).toEqual(
    expect.arrayContaining([
      { method: 'CASH', count: 3, total: '60.00' },
      { method: 'GIFT_CARD', count: 2, total: '40.00' },
    ]),
  );
  expect(sum(paid)).toBe(100);
  const all = await rowsOf('/api/exports/cards.csv');
  expect(all.map(({ state }) => state).sort()).toEqual(['FREE', 'FREE', 'GIVEN', 'GIVEN', 'GIVEN', 'VOID']);
  expect((await cast.root.get('/api/cards/summary').expect(200)).body.data).toEqual([
    expect.objectContaining({ amount: '20.00', free: 2, given: 3, void: 1 }),
  ]);
  const { body: texts } = await cast.root.get('/api/messages/summary').expect(200);
  expect(texts.byKind.find(({ kind }: Body) => kind === 'CARD')).toMatchObject({ QUEUED: 1 });
});
