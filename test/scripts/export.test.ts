/** The export: a table that statistics software reads as it is. */
import { readFile } from 'node:fs/promises';
import { formatCode } from '../../src/coupons/referral-codes/code.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { insertSurvey, makeSeed, makeSurvey } from '../make.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { all, answerOf, openFolder, SLOW } from './kit.ts';

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
let ana: Person;
let location: string;

const QUESTIONNAIRE = {
  name: 'Winter count',
  networkSizeQuestion: 'networkSize',
  definition: {
    elements: [
      { type: 'text', name: 'networkSize', inputType: 'number' },
      { type: 'comment', name: 'story', title: { en: 'Anything else?', es: '¿Algo más?' } },
      {
        type: 'checkbox',
        name: 'needs',
        title: { en: 'What do you need?', es: '¿Qué necesita?' },
        choices: [
          { value: 'bed', text: { en: 'A bed', es: 'Una cama' } },
          { value: 'meal', text: { en: 'A meal', es: 'Una comida' } },
        ],
        showOtherItem: true,
      },
      {
        type: 'radiogroup',
        name: 'status',
        choices: [
          { value: 1, text: 'Well' },
          { value: -9, text: 'No answer' },
        ],
      },
      { type: 'boolean', name: 'veteran' },
      { type: 'matrix', name: 'trust', rows: ['police', 'clinic'], columns: ['low', 'high'] },
      { type: 'multipletext', name: 'years', items: [{ name: 'here' }, { name: 'outside' }] },
      { type: 'ranking', name: 'order', choices: ['work', 'home'] },
      {
        type: 'paneldynamic',
        name: 'children',
        templateElements: [{ type: 'text', name: 'age', inputType: 'number' }],
      },
      { type: 'matrixdropdown', name: 'week', rows: ['mon'], columns: [{ name: 'meals', cellType: 'text' }] },
    ],
  },
};
const RESPONSES = {
  networkSize: 17,
  story: '=HYPERLINK("x"), línea\nsegunda; "comillas" ñandú',
  needs: ['meal', 'other'],
  'needs-Comment': '-5',
  status: -9,
  veteran: false,
  trust: { clinic: 'high' },
  years: { here: '2' },
  order: ['home', 'work'],
  children: [{ age: 4 }, { age: 9 }],
  week: { mon: { meals: '@two' } },
};
const tree: Record<'root' | 'child' | 'grandchild' | 'walkIn', { id: string }> = {} as never;

beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
  location = await world.place('Refugio Ñuñoa');
  ana = await world.person({ role: 'SUPER_ADMIN', location });
  const { body: second } = await ana.post('/api/questionnaires', QUESTIONNAIRE).expect(201);
  const survey = (fields: object) => makeSurvey(world, ana, { location, ...fields });
  const seed = await makeSeed(world, ana, { location });
  const root = await survey({ referralCode: seed.referralCode });
  const child = await survey({
    referralCode: root.issuedCodes[0],
    questionnaire: second.id,
    responses: RESPONSES,
    coordinates: { latitude: -33.45, longitude: -70.66 },
  });
  const grandchild = await survey({ referralCode: child.issuedCodes[1] });
  const walkIn = await survey({
    location: await world.place(),
    responses: { networkSize: 3, comment: 'ok' },
  });
  Object.assign(tree, { root, child, grandchild, walkIn });
}, SLOW);
afterAll(async () => {
  await world.stop();
  await folder.remove();
});

type Row = Record<string, string>;
async function rowsOf(path: string): Promise<Row[]> {
  const [heading, ...rows] = parseCsv(await readFile(path, 'utf8'));
  return rows.map(({ cells }) =>
    Object.fromEntries((heading?.cells ?? []).map((name, at) => [name, cells[at] ?? ''])),
  );
}

let files = 0;
async function exported(...args: string[]): Promise<Map<string, Row>> {
  files += 1;
  const path = folder.path(`${files}.csv`);
  await answerOf('export', ['--out', path, ...args]);
  return new Map((await rowsOf(path)).map((row) => [row.id ?? '', row]));
}

/** Values that R's package RDS does not accept. */
function expectValidForR(rows: Map<string, Row>): void {
  for (const { id, recruiter_id } of rows.values()) {
    expect(recruiter_id === 'seed' || rows.has(recruiter_id ?? '')).toBe(true);
    expect(recruiter_id).not.toBe(id);
  }
  expect([...rows.values()].some((row) => row.recruiter_id === 'seed')).toBe(true);
}

test(
  'each interview is a row with its place in the tree and the stored values',
  async () => {
    const rows = await exported();
    const surveys = await all('surveys');
    expect(rows.size).toBe(surveys.length);
    expectValidForR(rows);
    for (const one of surveys) {
      expect(rows.get(String(one._id))).toMatchObject({
        recruiter_id: one.recruiter ? String(one.recruiter) : 'seed',
        recruited_by: one.recruiter ? String(one.recruiter) : '',
        seed_id: String(one.seed),
        wave: String(one.wave),
        network_size: String(one.networkSize),
        referral_code: one.referralCode && formatCode(one.referralCode),
        coupon_1: formatCode(one.issuedCodes[0]),
        coupon_2: formatCode(one.issuedCodes[1]),
        coupon_3: formatCode(one.issuedCodes[2]),
        site_id: String(one.location),
        status: 'COMPLETED',
        started_at: one.startedAt.toISOString(),
        created_at: one.createdAt.toISOString(),
        questionnaire_version: '1',
        interviewer_id: ana.id,
      });
    }
    const coupons = rows.get(tree.root.id);
    expect(rows.get(tree.child.id)?.referral_code).toBe(coupons?.coupon_1);
    expect([...rows.values()].map((row) => row.site)).toContain('Refugio Ñuñoa');
    expect(Object.keys(coupons ?? {})).not.toContain('latitude');
  },
  SLOW,
);

test(
  'answers are codes in one column per question and choice, empty if not asked or answered',
  async () => {
    const rows = await exported();
    expect(rows.get(tree.child.id)).toMatchObject({
      questionnaire: 'Winter count',
      networkSize: '17',
      'needs.bed': '0',
      'needs.meal': '1',
      'needs.other': '1',
      'needs-Comment': '-5',
      'answer.status': '-9',
      veteran: 'false',
      'trust.police': '',
      'trust.clinic': 'high',
      'years.here': '2',
      'order.work': '2',
      'order.home': '1',
      'children.1.age': '4',
      'children.2.age': '9',
      comment: '',
      other_answers: '',
    });
    expect(rows.get(tree.root.id)).toMatchObject({ networkSize: '12', comment: 'none', 'needs.bed': '' });
    expect(Object.keys(rows.get(tree.root.id) ?? {})).not.toContain('children.3.age');
  },
  SLOW,
);

test(
  'free text keeps accents, quotes and lines, and is never a formula; numbers are unchanged',
  async () => {
    const row = (await exported('--coordinates')).get(tree.child.id);
    expect(row?.story).toBe(`'${RESPONSES.story}`);
    expect(row?.['week.mon.meals']).toBe("'@two");
    expect(row).toMatchObject({ latitude: '-33.45', longitude: '-70.66', 'answer.status': '-9' });
    const path = folder.path('bom.csv');
    await answerOf('export', ['--out', path, '--bom']);
    expect((await readFile(path)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect((await readFile(folder.path('1.csv')))[0]).toBe('i'.charCodeAt(0));
  },
  SLOW,
);

test(
  'JSON has one object per line with the same columns, numbers as numbers',
  async () => {
    const path = folder.path('study.jsonl');
    await answerOf('export', ['--out', path, '--format', 'json']);
    const rows = (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(4);
    expect(rows.find((row) => row.id === tree.child.id)).toMatchObject({
      network_size: 17,
      story: RESPONSES.story,
      veteran: false,
      comment: null,
      'needs.meal': 1,
    });
  },
  SLOW,
);

test(
  'the codebook has a row for each column, with texts and codes in each language',
  async () => {
    const [data, path] = [folder.path('with-book.csv'), folder.path('book.csv')];
    await answerOf('export', ['--out', data, '--codebook', path]);
    const book = await rowsOf(path);
    expect(book.map((row) => row.column)).toEqual(Object.keys((await rowsOf(data))[0] ?? {}));
    const about = (column: string) => book.find((row) => row.column === column);
    expect(about('needs.meal')).toMatchObject({
      type: 'checkbox',
      questionnaires: 'Winter count@1',
      text_en: 'What do you need?: A meal',
      text_es: '¿Qué necesita?: Una comida',
      values_es: '1 = Una comida | 0 = (no elegido)',
    });
    expect(about('answer.status')).toMatchObject({ values_en: '1 = Well | -9 = No answer' });
    const sizes = book.filter((row) => row.network_size === '1').map((row) => row.column);
    expect(sizes).toEqual(['network_size', 'networkSize']);
  },
  SLOW,
);

test(
  'filters exclude interviews; recruits of excluded recruiters are seeds for R, with the recruiter still listed',
  async () => {
    expect([...(await exported('--location', 'refugio ñuñoa')).keys()]).not.toContain(tree.walkIn.id);
    const day = (await exported()).get(tree.root.id)?.created_day ?? '';
    expect((await exported('--from', day, '--to', day)).size).toBe(4);
    expect((await exported('--to', '2020-01-01')).size).toBe(0);

    await ana.delete(`/api/surveys/${tree.child.id}`).expect(204);
    const open = await insertSurvey(world, { createdBy: ana.id, location, status: 'IN_PROGRESS' });
    const rows = await exported();
    expectValidForR(rows);
    expect(rows.has(tree.child.id)).toBe(false);
    expect(rows.get(tree.grandchild.id)).toMatchObject({
      recruiter_id: 'seed',
      recruited_by: tree.child.id,
      wave: '2',
    });
    expect(rows.get(open)).toMatchObject({ status: 'IN_PROGRESS', wave: '' });
    expect((await exported('--completed-only')).has(open)).toBe(false);
    const whole = await exported('--include-deleted');
    expectValidForR(whole);
    expect(whole.get(tree.grandchild.id)?.recruiter_id).toBe(tree.child.id);
    expect(whole.get(tree.child.id)?.deleted_at).toMatch(/^20.*Z$/);
    expect(whole.get(tree.root.id)?.deleted_at).toBe('');
  },
  SLOW,
);

test(
  'answers without a column are exported as JSON',
  async () => {
    const responses = { networkSize: 5, gone: { deep: [1, 'x'] } };
    const id = await insertSurvey(world, { createdBy: ana.id, location, responses });
    const row = (await exported()).get(id);
    expect(JSON.parse(row?.other_answers ?? '')).toEqual({ gone: { deep: [1, 'x'] } });
  },
  SLOW,
);
