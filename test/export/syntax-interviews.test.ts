/** interviews.sps reads what a questionnaire of every kind of question makes of interviews.csv, hostile texts included. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { hasPspp } from './pspp.ts';
import { bytesOf, entriesOf } from './zip-reader.ts';

const world = worldOfFile();
let root: Person;
let site: string;
const execute = promisify(execFile);

const ELEMENTS = [
  { type: 'text', inputType: 'number', name: 'size' },
  {
    type: 'checkbox',
    name: 'with',
    title: `It's "all" of\nthem`,
    choices: ['food', { value: 'a b', text: "It's" }],
  },
  { type: 'boolean', name: 'by', title: { en: 'Ill?', ar: 'مريض؟' } },
  { type: 'text', inputType: 'date', name: 'born' },
  { type: 'text', inputType: 'time', name: 'woken' },
  { type: 'comment', name: `story${'y'.repeat(90)}` },
  { type: 'comment', name: `story${'y'.repeat(90)}z`, title: 'T'.repeat(400) },
  { type: 'rating', name: 'trust', rateMax: 3, minRateDescription: 'None' },
  {
    type: 'radiogroup',
    name: 'عنوان',
    choices: ['نعم', { value: 'x"y', text: 'V'.repeat(300) }],
    showOtherItem: true,
    showRefuseItem: true,
    showDontKnowItem: true,
  },
  {
    type: 'matrix',
    name: 'grid',
    rows: ['r 1', 'r 2'],
    columns: [
      { value: 1, text: 'Low' },
      { value: 2, text: 'High' },
    ],
  },
  { type: 'multipletext', name: 'parts', items: [{ name: 'one' }, { name: 'o_ne' }] },
];

const ANSWERS: Body[] = [
  {
    ...{ size: 4, with: ['food'], by: true, born: '1990-02-03', woken: '07:30', trust: 2 },
    ...{ [`story${'y'.repeat(90)}`]: 'é'.repeat(3_000), عنوان: 'x"y', grid: { 'r 1': 1 } },
    parts: { one: '007', o_ne: '=1+1' },
  },
  { size: 2.5, with: ['a b'], by: false, عنوان: 'refused', trust: 3, grid: { 'r 1': 2, 'r 2': 1 } },
  { size: 1, عنوان: 'dontknow', [`story${'y'.repeat(90)}z`]: 'one, "two"' },
  { size: 3, عنوان: 'نعم' },
];

beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
  site = await world.place(`O'Hara's "Place"`);
  const body = { name: 'Hostile', definition: { elements: ELEMENTS }, networkSizeQuestion: 'size' };
  const { id } = (await root.post('/api/questionnaires', body).expect(201)).body;
  await root.patch(`/api/questionnaires/${id}`, { active: true }).expect(200);
  for (const responses of ANSWERS)
    await insertSurvey(world, { createdBy: root.id, location: site, questionnaire: id, responses });
});

async function downloaded(name: string): Promise<Buffer> {
  return (await root.get(`/api/exports/${name}`).buffer(true).parse(bytesOf).expect(200)).body as Buffer;
}

/** The data as PSPP has them after the syntax, and what it said. */
async function readBack(name: 'rds' | 'interviews') {
  const folder = await mkdtemp(join(tmpdir(), 'syntax-'));
  try {
    const csv = (await downloaded(`${name}.csv`)).toString('utf8');
    await writeFile(join(folder, `${name}.csv`), csv);
    const entries = entriesOf(await downloaded('bundle.zip'));
    await writeFile(join(folder, 'read.sps'), entries.get(`${name}.sps`) ?? '');
    const back = `GET FILE='${name}.sav'.
SAVE TRANSLATE /OUTFILE='values.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES.
SAVE TRANSLATE /OUTFILE='labels.csv' /TYPE=CSV /FIELDNAMES /CELLS=LABELS.
DISPLAY DICTIONARY.
`;
    await writeFile(join(folder, 'back.sps'), back);
    const run = async (syntax: string) => {
      const { stdout, stderr } = await execute('pspp', ['-o', 'said.txt', syntax], { cwd: folder }).catch(
        (error: { stdout: string; stderr: string }) => error,
      );
      return stdout + stderr;
    };
    const output = (await run('read.sps')) + (await run('back.sps'));
    const tableOf = async (file: string) => {
      const [heading = [], ...rows] = parseCsv(await readFile(join(folder, file), 'utf8')).map(
        ({ cells }) => cells,
      );
      return rows.map((row) =>
        Object.fromEntries(heading.map((column, at) => [column, row[at]?.trim() || null])),
      );
    };
    const dictionary = await readFile(join(folder, 'said.txt'), 'utf8');
    return {
      csv,
      said: output,
      dictionary,
      values: await tableOf('values.csv'),
      labels: await tableOf('labels.csv'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

(hasPspp ? test : test.skip)('PSPP reads each kind of answer without a complaint', async () => {
  const { said: output, values, labels } = await readBack('interviews');
  expect(output).toBe('');
  expect(values).toHaveLength(ANSWERS.length);
  const [first = {}, second = {}, third = {}] = values;
  expect(first).toMatchObject({
    size: '4',
    'with.food': '1',
    'with.a_b': '0',
    by_2: 'true',
    trust: '2',
    site: `O'Hara's "Place"`,
  });
  expect(first).toMatchObject({ born: '02/03/1990', woken: '07:30', 'grid.r_1': '1', 'parts.one': '007' });
  expect(Buffer.byteLength(first[`story${'y'.repeat(59)}`] ?? '')).toBe(6_000);
  expect(second.size).toBe('2.5');
  expect(third[Object.keys(third).find((name) => /^storyy+_2$/.test(name)) ?? '']).toBe('one, "two"');
  expect(labels[0]?.['grid.r_1']).toBe('Low');
});

(hasPspp ? test : test.skip)('PSPP reads the sample, with the names of sites', async () => {
  const { said: output, values, labels } = await readBack('rds');
  expect(output).toBe('');
  expect(values).toHaveLength(ANSWERS.length);
  expect(labels[0]).toMatchObject({
    location: `O'Hara's "Place"`,
    'recruiter.id': 'seed',
    by_2: expect.any(String),
  });
});

(hasPspp ? test : test.skip)(
  'an answer with a line break leaves every interview, and the syntax says what is lost',
  async () => {
    const { id } = (await root.get('/api/questionnaires/active').expect(200)).body;
    const responses = { size: 6, [`story${'y'.repeat(90)}`]: 'first\nsecond "line"\n\nthird' };
    await insertSurvey(world, { createdBy: root.id, location: site, questionnaire: id, responses });
    const { csv, values } = await readBack('interviews');
    expect(csv).toContain('first\nsecond');
    expect(values).toHaveLength(ANSWERS.length + 1);
    const syntax = entriesOf(await downloaded('bundle.zip')).get('interviews.sps');
    expect(syntax).toContain('* Some answers have line breaks.');
  },
);
