/** incentives.csv: the payments that "Close the day" adds up, in cells that spreadsheets and statistics read alike. */
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { owedTo, pay, setIncentives, USD } from './incentive-kit.ts';
import { castOfFile, collection, oid, refused, submit } from './kit.ts';

const cast = castOfFile();
let elsewhere: string;

interface Payment {
  due: string;
  paid: string;
  by: () => Person;
  method: string;
  reference?: string;
}

/** Los Angeles is UTC-8: a payment at 07:30 UTC was on the evening before. */
const PAYMENTS: Payment[] = [
  { due: '2027-01-30T20:00:00Z', paid: '2027-02-01T18:00:00Z', by: () => cast.admin, method: 'CASH' },
  { due: '2027-02-10T20:00:00Z', paid: '2027-03-01T07:30:00Z', by: () => cast.root, method: 'CASH' },
  { due: '2027-02-11T20:00:00Z', paid: '2027-03-01T08:30:00Z', by: () => cast.root, method: 'TRANSFER' },
  { due: '2027-02-12T20:00:00Z', paid: '2027-02-12T20:05:00Z', by: () => cast.admin, method: 'GIFT_CARD' },
  { due: '2027-03-02T20:00:00Z', paid: '2027-03-05T20:00:00Z', by: () => cast.admin, method: 'OTHER' },
];
const REFERENCES = ['=SUM(A1:A9)', 'card 9, "blue"', 'NA', '-5', 'José'];

beforeAll(async () => {
  await setIncentives(cast, USD);
  elsewhere = await cast.world.place();
  for (const [at, { due, paid, by, method }] of PAYMENTS.entries()) {
    cast.world.clock.set(new Date(due));
    const survey = await submit(cast);
    const [{ id }] = (await owedTo(cast, survey.id)) as [Body];
    cast.world.clock.set(new Date(paid));
    const location = at % 2 ? elsewhere : cast.site;
    await pay(by(), id, { method, reference: REFERENCES[at], location }).expect(200);
  }
  // Due and withdrawn incentives are not payments.
  await submit(cast);
  const [{ id }] = (await owedTo(cast, (await submit(cast)).id)) as [Body];
  await cast.admin.post(`/api/incentives/${id}/withdraw`, { reason: 'sold coupons' }).expect(200);
});
afterAll(() => cast.world.clock.real());

const textOf = async (person: Person, query = '') =>
  (await person.get(`/api/exports/incentives.csv?${query}`).expect(200)).text;

async function rowsOf(person: Person, query = ''): Promise<Record<string, string>[]> {
  const [heading = [], ...rows] = parseCsv(await textOf(person, query)).map(({ cells }) => cells);
  return rows.map((cells) => Object.fromEntries(heading.map((name, at) => [name, cells[at] ?? ''])));
}

/** Count and amount by one column, as in the summary. */
function totals(rows: Record<string, string>[], column: string, name: string) {
  const values = [...new Set(rows.map((row) => row[column] ?? ''))].toSorted();
  return values.map((value) => {
    const some = rows.filter((row) => row[column] === value);
    const total = some.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2);
    return { [name]: value, count: some.length, total };
  });
}

const summaryOf = async (person: Person, query: Record<string, string>) =>
  (await person.get(`/api/incentives/summary?${new URLSearchParams(query)}`).expect(200)).body;

test.each<[string, number, () => Record<string, string>]>([
  ['a month', 3, () => ({ from: '2027-02-01', to: '2027-02-28' })],
  ['a day', 1, () => ({ from: '2027-02-28', to: '2027-02-28' })],
  ['a site', 2, () => ({ from: '2027-02-01', to: '2027-03-31', location: elsewhere })],
  ['a person', 2, () => ({ from: '2027-02-01', to: '2027-03-31', paidBy: cast.root.id })],
  ['days without a payment', 0, () => ({ from: '2027-04-01', to: '2027-04-30' })],
])('the file of %s matches the summary', async (_, count, query) => {
  const { from = '', to = '', ...others } = query();
  const rows = await rowsOf(cast.admin, `${new URLSearchParams({ paidFrom: from, paidTo: to, ...others })}`);
  const { paid, byDay, byPerson, byLocation, byMethod } = await summaryOf(cast.admin, query());
  expect(rows).toHaveLength(count);
  expect(rows.every(({ state }) => state === 'PAID')).toBe(true);
  expect(paid.count).toBe(count);
  expect(byDay).toEqual(totals(rows, 'paid_day', 'day'));
  expect(byPerson).toEqual(totals(rows, 'paid_by', 'paidBy'));
  expect(byLocation).toEqual(totals(rows, 'paid_site_id', 'location'));
  expect(byMethod).toEqual(totals(rows, 'method', 'method'));
});

test('payments are sorted by payment time, all incentives by creation time', async () => {
  const paidAt = (rows: Record<string, string>[]) => rows.map(({ paid_at }) => paid_at);
  const payments = await rowsOf(cast.admin, 'paidFrom=2027-02-01');
  expect(paidAt(payments)).toEqual(PAYMENTS.map(({ paid }) => paid.replace('Z', '.000Z')).toSorted());
  expect(paidAt(await rowsOf(cast.admin, 'paidTo=2027-02-28'))).toEqual(paidAt(payments).slice(0, 3));
  const all = await rowsOf(cast.admin);
  const created = all.map(({ created_at }) => created_at);
  expect(created).toEqual(created.toSorted());
  expect(all.map(({ state }) => state)).toEqual([...PAYMENTS.map(() => 'PAID'), 'DUE', 'WITHDRAWN']);
});

test('a manager’s file without dates contains the payments of today at their own site, like the summary', async () => {
  const rows = await rowsOf(cast.manager);
  const { paid } = await summaryOf(cast.manager, {});
  expect(paid.count).toBe(rows.length);
  expect(rows.every(({ paid_day }) => paid_day === '2027-03-05')).toBe(true);
  expect(rows).toHaveLength(1);
});

test('amounts have the currency’s decimals, days are in the study’s time zone, times in UTC', async () => {
  const [row] = await rowsOf(cast.admin, 'paidFrom=2027-02-28&paidTo=2027-02-28');
  expect(row).toMatchObject({
    ...{ amount: '20.00', currency: 'USD', paid_at: '2027-03-01T07:30:00.000Z', paid_day: '2027-02-28' },
    ...{ recruit_id: '', reason: '', paid_by: cast.root.id, paid_site_id: elsewhere, site_id: cast.site },
  });
});

test('references are escaped against formulas, quoted if needed, and NA is not read as missing', async () => {
  const text = await textOf(cast.admin, 'paidFrom=2027-01-01');
  for (const cell of [`CASH,'=SUM(A1:A9),`, `CASH,"card 9, ""blue""",`, ',"NA",', ',-5,', ',José,'])
    expect(text).toContain(cell);
  expect(text).not.toContain('\r');
  expect(text.endsWith('\n')).toBe(true);
});

test('reversed or invalid dates are 400 with their name, and other files reject payment filters', async () => {
  const pathOf = async (query: string) => {
    const answer = await cast.admin.get(`/api/exports/${query}`);
    return refused(answer, 400, 'INVALID_QUERY').errors.map(({ path }: Body) => path);
  };
  expect(await pathOf('incentives.csv?paidFrom=2027-03-02&paidTo=2027-03-01')).toEqual(['paidTo']);
  expect(await pathOf('incentives.csv?paidFrom=2027-02-30')).toEqual(['paidFrom']);
  expect(await pathOf('interviews.csv?paidFrom=2027-03-02')).toEqual(['paidFrom']);
});

test('the audit trail records which payments were downloaded', async () => {
  await textOf(cast.admin, `paidFrom=2027-02-01&paidTo=2027-02-28&paidBy=${cast.root.id}`);
  const [event] = await collection('auditevents')
    .find({ subject: 'Export', by: oid(cast.admin.id) })
    .sort({ _id: -1 })
    .limit(1)
    .toArray();
  expect(event?.changes.map(({ path, after }: Body) => [path, String(after)])).toEqual(
    expect.arrayContaining([
      ['paidFrom', '2027-02-01'],
      ['paidTo', '2027-02-28'],
      ['paidBy', cast.root.id],
    ]),
  );
});
