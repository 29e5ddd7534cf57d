/** Whose incentive it is, for people who compare payments with receipts: claim numbers, coupons and names. */
import { formatCode } from '../../src/coupons/referral-codes/code.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { owedTo, pay, recruit, setIncentives, USD } from './incentive-kit.ts';
import { castOfFile, submit } from './kit.ts';

const cast = castOfFile();
let survey: Body;
let came: Body;
let own: Body;
let forRecruit: Body;

beforeAll(async () => {
  await setIncentives(cast, USD);
  survey = await submit(cast);
  const interviewer = await cast.world.person({ role: 'VOLUNTEER', location: cast.site, firstName: 'Quill' });
  came = (
    await interviewer.post('/api/surveys', {
      ...{ location: cast.site, referralCode: survey.issuedCodes[0], responses: survey.responses },
    })
  ).body;
  [own, forRecruit] = (await owedTo(cast, survey.id)) as [Body, Body];
});

const list = async (person: Person, query = ''): Promise<Body[]> =>
  (await person.get(`/api/incentives?limit=200${query}`).expect(200)).body.data;
const find = async (person: Person, search: string) =>
  (await list(person, `&search=${encodeURIComponent(search)}`)).map(({ id }) => id as string).toSorted();

test('an incentive names the claim number, the recruit’s coupon and the interviewer', async () => {
  const incentives = await list(cast.admin, `&survey=${survey.id}`);
  expect(incentives.find(({ id }) => id === own.id)).toMatchObject({
    ...{ claimNumber: survey.referralCode, coupon: null, interviewer: cast.volunteer.id },
  });
  expect(incentives.find(({ id }) => id === forRecruit.id)).toMatchObject({
    ...{ claimNumber: survey.referralCode, coupon: survey.issuedCodes[0], interviewer: came.createdBy },
  });
});

test('claim numbers and coupons are only for people who may read the interview, or codes', async () => {
  const treasurerOf = (...subjects: string[]) =>
    cast.world.person({
      ...{ role: 'VOLUNTEER', location: cast.site },
      permissions: subjects.map((subject) => ({ action: 'read', subject, conditions: [] })),
    });
  const one = async (person: Person) => (await list(person)).find(({ id }) => id === forRecruit.id);
  const treasurer = await treasurerOf('Incentive');
  const hidden = { survey: survey.id, claimNumber: null, coupon: null };
  expect(await one(treasurer)).toMatchObject(hidden);
  const codes = { claimNumber: survey.referralCode, coupon: survey.issuedCodes[0] };
  for (const subject of ['ReferralCode', 'Survey'])
    expect(await one(await treasurerOf('Incentive', subject))).toMatchObject(codes);
  expect(await one(cast.admin)).toMatchObject(codes);
  expect(await find(treasurer, survey.referralCode)).toEqual([]);
  const stranger = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  const paid = await submit(cast);
  const [{ id }] = (await owedTo(cast, paid.id)) as [Body];
  const { body } = await pay(stranger, id, { code: paid.referralCode }).expect(200);
  expect(body).toMatchObject({ survey: null, claimNumber: null, interviewer: null });
  expect(await list(stranger)).toMatchObject([{ id, survey: null, claimNumber: null, interviewer: null }]);
  expect(await find(stranger, paid.referralCode)).toEqual([]);
});

test('incentives are found by the interviewer’s name, as far as the caller may know whose interview it was', async () => {
  const [ofCame] = (await owedTo(cast, came.id)) as [Body];
  expect(await find(cast.admin, 'quill')).toEqual([forRecruit.id, ofCame.id].toSorted());
  const elsewhere = await cast.world.place();
  const manager = await cast.world.person({ role: 'MANAGER', location: elsewhere });
  await pay(manager, ofCame.id, { code: came.referralCode }).expect(200);
  expect(await list(manager)).toMatchObject([{ id: ofCame.id, interviewer: null }]);
  expect(await find(manager, 'quill')).toEqual([]);
  await cast.root.post(`/api/incentives/${ofCame.id}/reopen`, { reason: 'A mistake' }).expect(200);
});

test('incentives are found by claim number, by the recruit’s coupon and by who paid', async () => {
  expect(await find(cast.admin, formatCode(survey.referralCode).toLowerCase())).toEqual(
    [own.id, forRecruit.id].toSorted(),
  );
  const ofRecruit = await owedTo(cast, came.id);
  expect(await find(cast.admin, survey.issuedCodes[0])).toEqual(
    [forRecruit.id, ...ofRecruit.map(({ id }) => id)].toSorted(),
  );
  const payer = await cast.world.person({ role: 'ADMIN', location: cast.site, firstName: 'Zelda' });
  await pay(payer, own.id).expect(200);
  expect(await find(cast.admin, 'zeld')).toEqual([own.id]);
  expect(await find(cast.admin, 'nobody by this name')).toEqual([]);
  const stranger = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
  expect(await find(stranger, 'zeld')).toEqual([]);
});

describe('incentives.csv', () => {
  const rowsOf = async (person: Person) => {
    const { text } = await person.get('/api/exports/incentives.csv').expect(200);
    const [heading = [], ...rows] = parseCsv(text).map(({ cells }) => cells);
    return rows.map((cells) => Object.fromEntries(heading.map((name, at) => [name, cells[at] ?? ''])));
  };

  test('has claim numbers, coupons and the names of who paid and interviewed', async () => {
    await recruit(cast, survey, 1);
    const rows = await rowsOf(cast.admin);
    expect(rows.find(({ id }) => id === forRecruit.id)).toMatchObject({
      ...{ claim_number: formatCode(survey.referralCode), coupon: formatCode(survey.issuedCodes[0]) },
      ...{ interviewer_id: came.createdBy, paid_by_name: '' },
    });
    expect(rows.find(({ id }) => id === forRecruit.id)?.interviewer).toMatch(/^Quill /);
    expect(rows.find(({ id }) => id === own.id)?.paid_by_name).toMatch(/^Zelda /);
  });

  test('keeps codes and names from people who may not know them', async () => {
    const permissions = [{ action: 'read', subject: 'Incentive', conditions: [] }];
    const treasurer = await cast.world.person({ role: 'VOLUNTEER', location: cast.site, permissions });
    for (const row of await rowsOf(treasurer))
      expect(row).toMatchObject({ claim_number: '', coupon: '', paid_by_name: '', interviewer: '' });
  });
});
