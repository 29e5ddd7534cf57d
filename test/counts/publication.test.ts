/** The publication: whole, valid, and safe against subtraction over all its files. */
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import mongoose from 'mongoose';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { bytesOf, entriesOf } from '../export/zip-reader.ts';
import { type Person, worldOfFile } from '../people.ts';
import { LATER, type SimulatedPerson } from '../sample/simulated.ts';
import { isSpannedBy } from './span.ts';
import { xmlFaults } from './strict-markup.ts';
import { insertStudy, makeCount } from './world.ts';

const PATH = '/api/analysis/publication';
const SMALLEST = 5;

let root: Person;
let admin: Person;
let people: SimulatedPerson[];
let files: Map<string, string>;

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(LATER);
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  people = await insertStudy(root, [await world.place(), await world.place()]);
  await makeCount(root);
  files = await download();
});

async function download(): Promise<Map<string, string>> {
  const { body } = await root.get(PATH).buffer(true).parse(bytesOf).expect(200);
  return entriesOf(body as Buffer);
}

const pages = () => [...files].filter(([name]) => name.endsWith('.html'));
const named = (part: string) => [...files].find(([name]) => name.includes(part)) as [string, string];

test('only a super-admin gets it, and the history records it', async () => {
  await admin.get(PATH).expect(403);
  const { body } = await root.get('/api/audit?subject=Export&limit=5').expect(200);
  expect(JSON.stringify(body)).toContain('publication.zip');
});

test('it has a page, a table and a figure of each outcome, the count, the checklist, the codebook and the methods', () => {
  for (const name of ['README.md', 'index.html', 'strobe-rds.html', 'codebook.xml', 'style.css'])
    expect([...files.keys()]).toContain(name);
  const outcomes = [...files.keys()].filter((name) => /^outcome-.*\.html$/.test(name));
  expect(outcomes.length).toBeGreaterThan(5);
  for (const name of outcomes) expect(files.has(`tables/${name.replace('.html', '.csv')}`)).toBe(true);
  expect([...files.keys()].some((name) => /^count-1-.*\.html$/.test(name))).toBe(true);
  const [, age] = named('-ageRange.html');
  expect(age).toContain('How old are you?');
  expect(age).toContain('¿Cuántos años tiene usted?');
});

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:a11y'],
    // The pages are well-formed XML too, and named by questions, which may be long.
    rules: { 'void-style': ['error', { style: 'selfclosing' }], 'long-title': 'off' },
  }),
);
async function faultsOf(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}

test('its pages are valid HTML, and each link leads to a file', async () => {
  for (const [name, text] of pages()) {
    expect({ name, faults: await faultsOf(text) }).toEqual({ name, faults: [] });
    for (const [, to = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g))
      expect({ name, to, is: files.has(decodeURIComponent(to)) }).toEqual({ name, to, is: true });
    expect(text).not.toMatch(/<script|https?:\/\//);
  }
  const [, front] = named('index.html');
  expect(await faultsOf(front.replace('</h1>', '</h2>'))).not.toEqual([]);
  for (const [name, text] of files)
    if (/\.(svg|xml|html)$/.test(name))
      expect({ name, faults: xmlFaults(text) }).toEqual({ name, faults: [] });
});

test('the front page counts persons and households beside adults, as the tables do', () => {
  const [, table] = named('tables/count-1');
  const [, front] = named('index.html');
  for (const [of, word] of [
    ['PERSONS', 'persons'],
    ['HOUSEHOLDS', 'households'],
  ]) {
    const total = parseCsv(table).find(({ cells }) => cells[0] === 'total' && cells[1] === of);
    const [estimate, low, high] = (total?.cells.slice(4, 7) ?? []).map((one) =>
      Number(one).toLocaleString('en-US'),
    );
    expect(front).toContain(`about ${estimate} ${word} (95% CI ${low} to ${high})`);
  }
});

test('the front page lists what everyone answered alike apart from the results', () => {
  const [, front] = named('index.html');
  const [results, alike] = front.split('Questions that everyone answered alike');
  expect(alike).toContain('Everyone who answered said “');
  expect(alike).not.toContain('(not chosen)');
  expect(results).not.toContain('Everyone who answered');
  expect(results).toContain('How old are you?');
});

test('the codebook keeps the rules of DDI-Codebook 2.5', () => {
  const codebook = files.get('codebook.xml') ?? '';
  expect(codebook).toContain('<codeBook xmlns="ddi:codebook:2_5" version="2.5"');
  const order = ['<docDscr>', '<stdyDscr>', '<fileDscr', '<dataDscr>'].map((tag) => codebook.indexOf(tag));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
  const ids = [...codebook.matchAll(/ ID="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [variable] of codebook.matchAll(/<var .*?<\/var>/gs)) {
    const parts = [...variable.matchAll(/<(labl|qstn|sumStat|catgry|varFormat)[ >]/g)].map(([, tag]) => tag);
    const outer = parts.filter((tag, at) => tag !== 'labl' || !parts.slice(0, at).includes('catgry'));
    const rank = ['labl', 'qstn', 'sumStat', 'catgry', 'varFormat'];
    const ranks = outer.map((tag) => rank.indexOf(tag ?? ''));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  }
});

test('a count has one total with one interval, on its page, the front page and in its tables', () => {
  const [, table] = named('tables/count-1');
  const total = parseCsv(table).find(({ cells }) => cells[0] === 'total' && cells[1] === 'ADULTS');
  const [estimate, low, high] = (total?.cells.slice(4, 7) ?? []).map((one) =>
    Number(one).toLocaleString('en-US'),
  );
  const [, page] = named('count-1');
  for (const text of [page, files.get('index.html') ?? '']) {
    expect(text).toContain(`bout ${estimate} adults (95% `);
    const intervals = [...text.matchAll(/bout [\d,]+ (?:adults|people) \(95%[^)]*?([\d,]+) to ([\d,]+)\)/g)];
    for (const [, from, to] of intervals) expect([from, to]).toEqual([low, high]);
    expect(intervals.length).toBeGreaterThan(0);
  }
});

test('no interval leaves its range', () => {
  for (const [name, text] of files) {
    if (!name.startsWith('tables/outcome')) continue;
    for (const { cells } of parseCsv(text).slice(1)) {
      const [value, , estimate, ...bounds] = cells;
      if (value === '' || estimate === '') continue;
      for (const bound of [estimate, ...bounds.slice(0, 4)])
        if (bound) {
          expect(Number(bound)).toBeGreaterThanOrEqual(0);
          expect(Number(bound)).toBeLessThanOrEqual(1);
        }
    }
  }
});

/** People by their cell, and the cells that a file hides. */
interface Partition {
  file: string;
  counts: Map<string, number>;
  hidden: string[];
  shown: string[];
}

function partitionOf(file: string, column: number, of: (one: SimulatedPerson) => string | null): Partition {
  const counts = new Map<string, number>();
  for (const one of people) {
    const cell = of(one);
    if (cell !== null) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const [, text] = named(file);
  const rows = parseCsv(text).slice(1);
  const cells = rows.map((row) => ({
    cell: row.cells[column] ?? '',
    isHidden: row.cells.includes('HIDDEN'),
  }));
  return {
    file,
    counts,
    hidden: cells.filter(({ isHidden }) => isHidden).map(({ cell }) => cell),
    shown: cells.filter(({ isHidden }) => !isHidden).map(({ cell }) => cell),
  };
}

test('no small cell is shown, nor found by subtraction from what is shown in any of the files', () => {
  const answerTo = (name: string) => (one: SimulatedPerson) => (one.responses[name] as string) ?? null;
  const partitions = ['ageRange', 'veteran', 'lastHome', 'homelessDuration', 'countServiceUsed'].map((name) =>
    partitionOf(`-${name}.csv`, 0, answerTo(name)),
  );
  expect(partitions.find(({ file }) => file === '-lastHome.csv')?.hidden.length).toBeGreaterThan(1);
  for (const { file, counts, hidden, shown: publishedCells } of partitions) {
    const count = (cell: string) => counts.get(cell) ?? 0;
    for (const cell of publishedCells)
      expect({ file, cell, isSmall: count(cell) > 0 && count(cell) < SMALLEST }).toEqual({
        file,
        cell,
        isSmall: false,
      });
    const behind = hidden.reduce((sum, cell) => sum + count(cell), 0);
    if (hidden.length > 0 && publishedCells.some((cell) => count(cell) > 0)) {
      expect(hidden.length).toBeGreaterThan(1);
      expect(behind).toBeGreaterThanOrEqual(SMALLEST);
    }
  }
});

test('what a page hides is hidden in the tables of the count, the checklist and the codebook too', () => {
  const veteran = partitionOf('-veteran.csv', 0, (one) => one.responses.veteran as string);
  expect(veteran.hidden.sort()).toEqual(['no', 'yes']);
  const [, table] = named('tables/count-1');
  const rows = parseCsv(table).filter(({ cells }) => cells[0] === 'veteran');
  expect(rows.length).toBeGreaterThan(0);
  for (const { cells } of rows) expect(cells.slice(4)).toEqual(['', '', '', 'HIDDEN']);
  const [, page] = named('-veteran.html');
  expect(page).not.toMatch(/<td>\d/);
  expect(files.get('codebook.xml')).not.toContain('type="freq"');
});

test('single choices are left out where a table divides people into cells of them', () => {
  const names = [...files.keys()].join('\n');
  expect(names).not.toMatch(/raceEthnicity|genderIdentity/);
});

/** A set of people as a published figure is about it: 1 for each who is in it. */
interface PublishedSet {
  file: string;
  cell: string;
  people: number[];
  isHidden: boolean;
}

/** Of each answer to a question with choices, and of each choice of those with several. */
function setsOf(all: Map<string, string>): PublishedSet[] {
  const names = [...(all.get('codebook.xml') ?? '').matchAll(/<var ID="V\d+" name="([^"]+)"/g)];
  return names.flatMap(([, name = ''], at) => {
    const [question = '', choice] = name.split('.');
    const answerOf = ({ responses }: SimulatedPerson): unknown => {
      const answer = responses[question];
      return choice === undefined || !Array.isArray(answer) ? answer : answer.includes(choice) ? 'yes' : 'no';
    };
    const file = [...all.keys()].find((one) => one.startsWith(`tables/outcome-${at + 1}-`)) ?? '';
    const rows = parseCsv(all.get(file) ?? '').slice(1);
    return rows.flatMap(({ cells }) => {
      const [cell = ''] = cells;
      const members = people.map((one) => Number(answerOf(one) === cell));
      const isKnown = cell !== '' && members.includes(1);
      return isKnown ? [{ file, cell, people: members, isHidden: cells.includes('HIDDEN') }] : [];
    });
  });
}

/** Cells of few people that follow from figures of other sets, added and subtracted in any way. */
function uncovered(all: Map<string, string>): string[] {
  const sets = setsOf(all);
  const shown = sets.filter(({ isHidden }) => !isHidden).map((one) => one.people);
  // How many answered each question, and everybody, is told too.
  const answered = [...new Set(sets.map(({ file }) => file))].map((file) =>
    people.map((_, at) => Number(sets.some((one) => one.file === file && one.people[at] === 1))),
  );
  const told = [people.map(() => 1), ...answered, ...shown];
  const isSmall = ({ people: members }: PublishedSet) =>
    members.reduce((sum, one) => sum + one, 0) < SMALLEST;
  return sets
    .filter((one) => isSmall(one) && isSpannedBy(one.people, told))
    .map(({ file, cell }) => `${file} ${cell}`);
}

test('no cell of few people follows from all figures of all files together, which this attack would find', async () => {
  expect(setsOf(files).length).toBeGreaterThan(10);
  expect(setsOf(files).filter(({ isHidden }) => isHidden).length).toBeGreaterThan(3);
  expect(uncovered(files)).toEqual([]);
  await root.patch('/api/study', { smallestCell: 0 }).expect(200);
  const careless = await download();
  await root.patch('/api/study', { smallestCell: SMALLEST }).expect(200);
  const found = uncovered(careless);
  expect(found.some((one) => /veteran/.test(one))).toBe(true);
  expect(found.some((one) => /lastHome/.test(one))).toBe(true);
});

test('from the second round on, each page says what changed since the round before', async () => {
  const { body } = await root.get('/api/rounds').expect(200);
  const first = body.data[0].id as string;
  await root.post(`/api/rounds/${first}/close`, {}).expect(200);
  const next = { name: 'Round 2', startsOn: '2027-12-01' };
  const round = (await root.post('/api/rounds', next).expect(201)).body.id as string;
  const surveys = mongoose.connection.collection('surveys');
  const seeds = (await surveys.distinct('seed')).slice(0, 3);
  await surveys.updateMany({ seed: { $in: seeds } }, { $set: { round: new mongoose.Types.ObjectId(round) } });
  await makeCount(root, { name: 'Count of the next night' });
  const later = await download();
  const page = (part: string) => [...later].find(([name]) => name.includes(part))?.[1] ?? '';
  expect(page('-countServiceUsed.html')).toMatch(
    /Change since Round 1.*Yes: From Round 1 to Round 2 (the estimate of )?the share/s,
  );
  expect(page('count-1')).toMatch(/From Round 1 to Round 2 (the estimate of )?the number of adults/);
  expect(page('index.html').match(/From Round 1 to Round 2/g)?.length).toBeGreaterThan(3);
  expect(page('-veteran.html')).not.toContain('From Round 1');
  for (const [name, text] of later)
    if (name.endsWith('.html')) expect({ name, faults: await faultsOf(text) }).toEqual({ name, faults: [] });
});
