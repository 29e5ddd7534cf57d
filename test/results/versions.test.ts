/** Outcomes come from every questionnaire version that interviews were held with. */
import mongoose from 'mongoose';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { loadSample } from '../../src/statistics/sample/load.ts';
import { bytesOf, entriesOf } from '../export/zip-reader.ts';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
let root: Person;
let admin: Person;
let sites: string[];
const versions: Record<string, string> = {};

const choice = (name: string, choices = ['yes', 'no']) => ({ type: 'radiogroup', name, choices });
const uses = (...choices: string[]) => ({ type: 'checkbox', name: 'uses', choices });
const number = (name: string) => ({ type: 'text', inputType: 'number', name });
const FORMS = {
  first: [number('size'), choice('drug'), choice('work'), uses('food', 'bed')],
  second: [number('size'), choice('drug', ['yes', 'no', 'often']), uses('food', 'job')],
  other: [number('size'), choice('mood'), number('work')],
};

async function activate(key: keyof typeof FORMS, name = 'Repeated'): Promise<string> {
  const body = { name, definition: { elements: FORMS[key] }, networkSizeQuestion: 'size' };
  const { id } = (await admin.post('/api/questionnaires', body).expect(201)).body;
  await admin.patch(`/api/questionnaires/${id}`, { active: true, confirm: true }).expect(200);
  versions[key] = id;
  return id;
}

async function hold(questionnaire: string | undefined, answers: object, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await insertSurvey(world, {
      ...{ createdBy: root.id, location: String(sites[at % 2]), questionnaire: String(questionnaire) },
      responses: { size: 3, ...answers },
    });
}

const get = async (path: string, by = admin): Promise<Body> => (await by.get(path).expect(200)).body;
const outcome = async (name: string): Promise<Body> =>
  (await get('/api/analysis/outcomes')).data.find((one: Body) => one.name === name);

beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  sites = [await world.place(), await world.place()];
  await hold(await activate('first'), { drug: 'yes', work: 'no', uses: ['food'] }, 20);
  await hold(await activate('second'), { drug: 'no', uses: ['job'] }, 10);
});

test('activating another version keeps all outcomes, and missing counts only people who were asked', async () => {
  const { first, second } = versions;
  expect(await outcome('drug')).toMatchObject({
    ...{ known: 30, missing: 0, notAsked: 0 },
    questionnaires: [second, first],
  });
  expect(await outcome('work')).toMatchObject({
    ...{ known: 20, missing: 0, notAsked: 10 },
    questionnaires: [first],
  });
  expect(await outcome('uses.bed')).toMatchObject({ known: 20, missing: 0, notAsked: 10 });
  expect(await outcome('uses.job')).toMatchObject({ known: 10, notAsked: 20, questionnaires: [second] });
  const { sample, warnings } = await get('/api/analysis/estimates?outcome=work');
  expect(sample).toMatchObject({ n: 30, known: 20, missing: 0, notAsked: 10 });
  expect(warnings.map(({ code }: Body) => code)).not.toContain('FEW_KNOWN');
  const { questions } = await get('/api/analysis/answers?question=work&question=uses');
  expect(questions).toEqual([
    expect.objectContaining({ name: 'work', known: 20, missing: 0, notAsked: 10 }),
    expect.objectContaining({ name: 'uses', notAsked: 0 }),
  ]);
  const alone = await get(`/api/analysis/estimates?outcome=drug&questionnaire=${first}`, root);
  expect(alone.sample).toMatchObject({ known: 20, missing: 0, notAsked: 10 });
});

test('a comparison and the files of the bundle say how many were not asked', async () => {
  const comparison = await get('/api/analysis/compare?outcome=work&by=drug');
  expect(comparison.notAsked).toEqual({ outcome: 10, by: 0 });
  const { body: bytes } = await root.get('/api/exports/bundle.zip').buffer(true).parse(bytesOf).expect(200);
  const entries = entriesOf(bytes);
  expect(entries.get('study.R')).toMatch(/^not\.asked <- c\(.*"work" = 10/m);
  const [heading = [], ...rows] = parseCsv(entries.get('codebook.csv') ?? '').map(({ cells }) => cells);
  const peopleIn = (name: string) =>
    ['answered', 'missing', 'not_asked'].map(
      (column) => rows.find(([one]) => one === name)?.[heading.indexOf(column)],
    );
  expect(peopleIn('work')).toEqual(['20', '0', '10']);
  expect(peopleIn('drug')).toEqual(['30', '0', '0']);
  expect(entries.get('README.md')).toContain('- `work`: 10 people');
});

test('the report, own outcomes and files use the answers of every version', async () => {
  const { items } = await get('/api/analysis/report');
  const item = items.find(({ name }: Body) => name === 'work');
  expect(item.value).toEqual([{ level: 'no', known: 20, mean: 1, rds2: 1 }]);
  expect(item.text).toContain(
    '10 people were interviewed with a questionnaire version that doesn’t ask this.',
  );
  const own = { name: 'idle', title: { en: 'Idle' }, kind: 'CATEGORY', expression: "{work} = 'no'" };
  await root.patch('/api/study', { outcomes: [own] }).expect(200);
  expect(await outcome('idle')).toMatchObject({ known: 20, missing: 0, notAsked: 10 });
  const all = await loadSample({ window: {}, zone: 'UTC', now: new Date(), outcomes: 'ESTIMABLE' });
  expect(all.outcomes.map(({ name }) => name)).toEqual(expect.arrayContaining(['drug', 'work', 'idle']));
  const csv = (await root.get('/api/exports/rds.csv').expect(200)).text;
  expect(csv.split('\n')[0]).toContain('work');
  await root.patch('/api/study', { outcomes: [] }).expect(200);
});

test('the answer of the one person whose version does not ask a question cannot be derived by subtraction', async () => {
  await mongoose.connection
    .collection('surveys')
    .deleteMany({ questionnaire: new mongoose.Types.ObjectId(versions.second) });
  await hold(versions.second, { drug: 'no' }, 1);
  await hold(versions.first, { drug: 'no', work: 'yes' }, 7);
  // 8 said "no" to `drug`, as anyone may know; 7 of them were asked `work`.
  for (const query of ['outcome=drug&by=work', 'outcome=work&by=drug']) {
    const { groups } = await get(`/api/analysis/compare?${query}`);
    const cells = groups.flatMap(({ value, levels }: Body) =>
      levels.map((level: Body) => ({ ...level, values: [value, level.value] })),
    );
    // Enough people for each of these figures, were it not for the one.
    expect(cells.some(({ hidden }: Body) => hidden)).toBe(true);
    // How many of the 8 were asked is not told either.
    if (query.endsWith('by=drug'))
      expect(groups.find(({ value }: Body) => value === 'no')?.known ?? null).toBeNull();
    const whole = await get(`/api/analysis/compare?${query}`, root);
    expect(JSON.stringify(whole)).not.toContain('hidden');
  }
});

test('a question of another kind in another version needs a questionnaire', async () => {
  await hold(await activate('other', 'Another'), { mood: 'yes', work: 5 }, 6);
  const { errors } = (await admin.get('/api/analysis/estimates?outcome=work').expect(400)).body;
  expect(errors).toEqual([expect.objectContaining({ path: 'outcome', code: 'OTHER_OUTCOME' })]);
  expect(
    await get(`/api/analysis/estimates?outcome=work&questionnaire=${versions.other}`, root),
  ).toMatchObject({ kind: 'NUMBER', sample: { known: 6 } });
  expect(await outcome('mood')).toMatchObject({ known: 6, missing: 0, notAsked: 28 });
});
