/** A renamed choice: interviews and versions with either value give the same figures and files. */
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { castOfFile, submit } from '../api/kit.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import { bytesOf } from './zip-reader.ts';

const cast = castOfFile();

const { name, networkSizeQuestion, takesPartIf, definition } = DEFAULT_QUESTIONNAIRE;
const earlier = JSON.parse(JSON.stringify(definition).replaceAll('"6to11"', '"6-11"'));

const interview = async (homelessMonths: string) =>
  await submit(cast, { responses: { ...EXAMPLE_RESPONSES, homelessMonths } });
const activate = async (form: object) => {
  const questionnaire = { name, networkSizeQuestion, takesPartIf, definition: form };
  const { body } = await cast.root.post('/api/questionnaires', questionnaire).expect(201);
  await cast.root.patch(`/api/questionnaires/${body.id}`, { active: true, confirm: true }).expect(200);
};
async function file(path: string): Promise<string[][]> {
  const { body } = await cast.root.get(`/api/exports/${path}`).buffer(true).parse(bytesOf).expect(200);
  return parseCsv((body as Buffer).toString('utf8')).map(({ cells }) => cells);
}

beforeAll(async () => {
  await activate(earlier);
  await interview('6-11');
  await activate(definition);
  await interview('6to11');
}, 60_000);

test('files have the later value for both, and the codebook says so', async () => {
  const [head = [], ...rows] = await file('interviews.csv');
  const at = head.indexOf('homelessMonths');
  expect(rows.map((row) => row[at])).toEqual(['6to11', '6to11']);
  const coupon = head.indexOf('coupon_1');
  for (const row of rows) expect(row[coupon]).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  const [columns = [], ...book] = await file('codebook.csv');
  const bookRow = book.find(([column]) => column === 'homelessMonths') ?? [];
  expect(bookRow[columns.indexOf('former_values')]).toBe('6-11 is written as 6to11');
  expect(bookRow[columns.indexOf('values_en')]).toContain('6to11 = 6 to 11 months');
  expect(bookRow[columns.indexOf('values_en')]).not.toContain('6-11');
});

test('outcomes count both as one, also in expressions with the former value', async () => {
  const title = { en: 'Half a year' };
  const expression = "iif({homelessMonths} = '6-11', 'yes', 'no')";
  const outcomes = [{ name: 'half', title, kind: 'CATEGORY', expression }];
  await cast.root.patch('/api/study', { outcomes }).expect(200);
  const { body } = await cast.root.get('/api/analysis/outcomes').expect(200);
  const levels = (name: string) =>
    body.data
      .find((one: { name: string }) => one.name === name)
      .levels.map((one: { value: string }) => one.value);
  expect(levels('homelessMonths')).toEqual(['6to11']);
  expect(levels('half')).toEqual(['yes']);
});

test('the interview itself keeps its answer', async () => {
  const { body } = await cast.root.get('/api/surveys?sort=createdAt').expect(200);
  const answers = [];
  for (const { id } of body.data)
    answers.push((await cast.root.get(`/api/surveys/${id}`).expect(200)).body.responses.homelessMonths);
  expect(answers.sort()).toEqual(['6-11', '6to11']);
});
