/** The publication: whole, valid, and safe against subtraction over all its files. */
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { bytesOf, entriesOf } from '../export/zip-reader.ts';
import { type Person, worldOfFile } from '../people.ts';
import { LATER, type SimulatedPerson } from '../sample/simulated.ts';
import { strictHtmlFaults, xmlFaults } from './strict-markup.ts';
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

test('its pages are strict HTML, and each link leads to a file', () => {
  for (const [name, text] of pages()) {
    expect({ name, faults: strictHtmlFaults(text) }).toEqual({ name, faults: [] });
    for (const [, to = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g))
      expect({ name, to, is: files.has(decodeURIComponent(to)) }).toEqual({ name, to, is: true });
    expect(text).not.toMatch(/<script|https?:\/\//);
  }
  for (const [name, text] of files)
    if (/\.(svg|xml)$/.test(name)) expect({ name, faults: xmlFaults(text) }).toEqual({ name, faults: [] });
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
