/** The publication: whole, valid, and safe against subtraction over all its files. */
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import mongoose from 'mongoose';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import {
  chronicHomelessnessAnswer,
  raceCategoryOf,
} from '../../src/statistics/counts/tables/read-answers.ts';
import { bytesOf, entriesOf } from '../export/zip-reader.ts';
import { type Person, worldOfFile } from '../people.ts';
import { LATER, type SimulatedPerson } from '../sample/simulated.ts';
import { isSpannedBy } from './span.ts';
import { xmlFaults } from './strict-markup.ts';
import { insertStudy, makeCount } from './world.ts';

const PATH = '/api/analysis/publication';
const SMALLEST = 5;
const BY_WHOM = { organization: 'Count & Co', publicationContact: 'count@example.org' };

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
  await change(people.slice(0, 3), { homelessTimes: '4-plus', homelessMonths: '12-plus' });
  // Of those with two races, two alone live with another adult.
  const pairs = people.filter((_, at) => at % 20 === 16);
  await change(pairs.slice(2), { household: ['alone'], householdAdults: undefined });
  // Else the pairs of one race would be those with children.
  await change(people.slice(4, 5), { raceEthnicity: ['hispanic', 'white'] });
  await makeCount(root);
  await root.patch('/api/study', BY_WHOM).expect(200);
  files = await download();
});

/** Other answers of some people. */
async function change(some: readonly SimulatedPerson[], answers: Record<string, unknown>): Promise<void> {
  const surveys = mongoose.connection.collection('surveys');
  for (const one of some) {
    Object.assign(one.responses, answers);
    const $set = { responses: JSON.parse(JSON.stringify(one.responses)) };
    await surveys.updateOne({ _id: new mongoose.Types.ObjectId(one.id) }, { $set });
  }
}

async function download(): Promise<Map<string, string>> {
  const { body } = await root.get(PATH).buffer(true).parse(bytesOf).expect(200);
  return entriesOf(body as Buffer);
}

const pages = () => [...files].filter(([name]) => name.endsWith('.html'));
const named = (part: string) => [...files].find(([name]) => name.includes(part)) as [string, string];

test('only a super-admin can download it, and the history records it', async () => {
  await admin.get(PATH).expect(403);
  const { body } = await root.get('/api/audit?subject=Export&limit=5').expect(200);
  expect(JSON.stringify(body)).toContain('publication.zip');
});

test('it has a page, a table and a figure of each outcome, the count, the checklist, the codebook and the methods', () => {
  for (const name of [
    'README.md',
    'index.html',
    'methods.html',
    'strobe-rds.html',
    'codebook.xml',
    'style.css',
  ])
    expect([...files.keys()]).toContain(name);
  const outcomes = [...files.keys()].filter((name) => /^outcome-.*\.html$/.test(name));
  expect(outcomes.length).toBeGreaterThan(5);
  for (const name of outcomes) expect(files.has(`tables/${name.replace('.html', '.csv')}`)).toBe(true);
  expect([...files.keys()].some((name) => /^count-1-.*\.html$/.test(name))).toBe(true);
  const [, age] = named('-ageRange.html');
  expect(age).toContain('How old are you?');
  expect(age).toContain('¿Cuántos años tiene usted?');
});

test('each page, the methods and the codebook say who is responsible and whom to ask', () => {
  for (const [name, text] of pages()) {
    expect({ name, says: text.includes('Count &amp; Co. Data as of') }).toEqual({ name, says: true });
    expect(text).toContain('<a href="mailto:count@example.org">');
  }
  expect(files.get('README.md')).toContain('- **Responsible**: Count & Co\n- **Contact**: count@example.org');
  expect(files.get('codebook.xml')).toMatch(
    /<prodStmt><producer>Count &amp; Co<\/producer><\/prodStmt><distStmt><contact email="count@example.org">Count &amp; Co</,
  );
});

test('the front page begins with the number of people, its precision, the change, the method and the authors', () => {
  const front = files.get('index.html') ?? '';
  const [, summary = ''] = /<dl class="summary">(.*?)<\/dl>/s.exec(front) ?? [];
  const terms = [...summary.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, term, text]) => [
    term,
    text,
  ]);
  expect(terms.map(([term]) => term)).toEqual([
    'How many people',
    'How sure',
    'Up or down',
    'How it was made',
    'By whom',
  ]);
  expect(front.indexOf('<dl class="summary">')).toBeLessThan(front.indexOf('<h2>'));
  const [many, sure, , how, whom] = terms.map(([, text]) => text);
  expect(many).toMatch(/^About [\d,]+ adults as of March 1, 2027: Adults without a home\./);
  expect(sure).toMatch(/^95% confidence interval: [\d,]+ to [\d,]+ adults/);
  expect(how).toMatch(/^200 people were interviewed between March 1, 2027 and /);
  expect(whom).toContain('Count &amp; Co');
});

test('no page leads to a file that browsers show unformatted, and the methods name each file', () => {
  for (const [, text] of pages()) expect(text).not.toContain('.md"');
  const methods = files.get('methods.html') ?? '';
  const named = [...methods.matchAll(/<li><(?:a href="[^"]*"|code)>([^<]*)</g)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  const patterns = named.map((name) => new RegExp(`^${name.replace('.', '[.]').replace('*', '.*')}$`));
  for (const name of files.keys())
    if (name !== 'style.css')
      expect({ name, isNamed: patterns.some((one) => one.test(name)) }).toEqual({ name, isNamed: true });
});

test('if few people answered a question, or few did not, no file reveals their number', () => {
  const [, index] = named('tables/index.csv');
  const rows = parseCsv(index).slice(1);
  const row = rows.find(({ cells }) => cells[2] === 'homelessMonths')?.cells ?? [];
  expect(row.slice(4, 6)).toEqual(['', '']);
  expect(named('-homelessMonths.html')[1]).toContain('Fewer than 5 of 200 people interviewed answered.');
  const [variable = ''] =
    /<var ID="V\d+" name="homelessMonths".*?<\/var>/s.exec(files.get('codebook.xml') ?? '') ?? [];
  expect(variable).not.toContain('sumStat');
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
    for (const [, to = ''] of text.matchAll(/(?:href|src)="(?!mailto:)([^"]+)"/g))
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

test('the front page lists questions that everyone answered alike apart from the results', () => {
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

test('figures hidden on a page are hidden in the tables of the count, the checklist and the codebook too', () => {
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

test('single choices are left out if a table divides people into cells by them', () => {
  const names = [...files.keys()].join('\n');
  expect(names).not.toMatch(/raceEthnicity|genderIdentity/);
});

/** What a published figure is a weighted mean of: what each person stands for in it. */
interface PublishedSet {
  file: string;
  cell: string;
  people: number[];
  isHidden: boolean;
}

/** Of each answer to a question with choices, and of each choice of those with several. */
function answerSets(all: Map<string, string>): PublishedSet[] {
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

/** Who answered a question, where its number is told. */
function answeredSets(all: Map<string, string>): PublishedSet[] {
  const rows = parseCsv(all.get('tables/index.csv') ?? '').slice(1);
  return rows.flatMap(({ cells: [file = '', kind, name = '', , answered] }) =>
    kind === 'outcome' && answered
      ? [
          {
            ...{ file, cell: 'answered', isHidden: false },
            people: people.map(({ responses }) => Number(responses[name.split('.')[0] ?? ''] !== undefined)),
          },
        ]
      : [],
  );
}

const HOUSEHOLD = {
  ADULTS: () => 1,
  PERSONS: (m: number, k: number) => 1 + k / m,
  HOUSEHOLDS: (m: number) => 1 / m,
};
type Of = keyof typeof HOUSEHOLD;

/** What a person stands for in a cell of a count's tables, from the answers alone. */
function standsFor({ responses }: SimulatedPerson, table: string, of: Of, cell: string): number {
  const adults = Number(responses.householdAdults ?? 1);
  const children = Number(responses.childrenCount ?? 0);
  const under6 = Number(responses.childrenUnder6 ?? 0);
  const share = HOUSEHOLD[of](adults, children);
  if (table === 'total') return share;
  if (cell === 'under6') return under6 / adults;
  if (cell === '6to17') return (children - under6) / adults;
  if (table === 'householdType') return children > 0 === (cell === 'withChildren') ? share : 0;
  const several = (answers: unknown) => {
    const [one, ...others] = answers as string[];
    return others.length > 0 ? 'several' : (one ?? null);
  };
  const own: Record<string, () => string | null> = {
    age: () => responses.ageRange as string,
    veteran: () => responses.veteran as string,
    gender: () => several(responses.genderIdentity),
    race: () => raceCategoryOf(responses.raceEthnicity as string[]),
    chronic: () =>
      chronicHomelessnessAnswer({
        conditions: (responses.healthConditions as string[]).filter((one) => one !== 'none'),
        disabling: (responses.healthKeepsFromHousing as string) ?? null,
        duration: responses.homelessDuration as string,
        times: responses.homelessTimes as string,
        months: (responses.homelessMonths as string) ?? null,
      }),
  };
  return own[table]?.() === cell ? (of === 'HOUSEHOLDS' ? share : 1) : 0;
}

/** Of each cell and total of the counts. */
function cellSets(all: Map<string, string>): PublishedSet[] {
  const counts = [...all].filter(([name]) => name.startsWith('tables/count-'));
  return counts.flatMap(([file, text]) =>
    parseCsv(text)
      .slice(1)
      .flatMap(({ cells: [table = '', of = '', cell = '', , estimate, , , note] }) =>
        of in HOUSEHOLD
          ? [
              {
                ...{ file, cell: `${table} ${of} ${cell}`, isHidden: note === 'HIDDEN' || estimate === '' },
                people: people.map((one) => standsFor(one, table, of as Of, cell)),
              },
            ]
          : [],
      ),
  );
}

/** Those of a cell who live with other adults, which no table is of: adults less households. */
function sharingSets(sets: readonly PublishedSet[]): PublishedSet[] {
  return sets.flatMap(({ file, cell, people: members }) => {
    const sharing = members.map((one, at) => {
      const adults = Number(people[at]?.responses.householdAdults ?? 1);
      return one > 0 ? 1 - 1 / adults : 0;
    });
    return cell.includes(' HOUSEHOLDS ') && sharing.some((one) => one > 0)
      ? [{ file, cell: `${cell} sharing`, people: sharing, isHidden: true }]
      : [];
  });
}

const publishedSets = (all: Map<string, string>) => [...answerSets(all), ...cellSets(all)];

/** Cells of few people that follow from figures of other sets, added and subtracted in any way. */
function uncovered(all: Map<string, string>): string[] {
  const sets = publishedSets(all);
  const known = [...sets, ...answeredSets(all)].filter(({ isHidden }) => !isHidden).map((one) => one.people);
  const told = [people.map(() => 1), ...known];
  const isSmall = ({ people: members }: PublishedSet) => members.filter((one) => one > 0).length < SMALLEST;
  return [...sets, ...sharingSets(sets)]
    .filter((one) => one.people.some((value) => value > 0) && isSmall(one) && isSpannedBy(one.people, told))
    .map(({ file, cell }) => `${file} ${cell}`);
}

test('no small cell can be derived from the figures of all files, and the attack would find one', async () => {
  expect(answerSets(files).length).toBeGreaterThan(10);
  expect(answerSets(files).filter(({ isHidden }) => isHidden).length).toBeGreaterThan(3);
  expect(cellSets(files).length).toBeGreaterThan(40);
  expect(cellSets(files).filter(({ isHidden }) => isHidden).length).toBeGreaterThan(3);
  expect(uncovered(files)).toEqual([]);
  await root.patch('/api/study', { smallestCell: 0 }).expect(200);
  const careless = await download();
  await root.patch('/api/study', { smallestCell: SMALLEST }).expect(200);
  const found = uncovered(careless);
  for (const cell of [
    /outcome.*veteran/,
    /lastHome/,
    /veteran ADULTS yes/,
    /race HOUSEHOLDS several sharing/,
  ])
    expect(found).toContainEqual(expect.stringMatching(cell));
});

/** Whole numbers that stand for people in the words of pages, with the words around each. */
const peopleIn = (text: string) =>
  [
    ...text
      .replace(/<[^>]*>/g, ' ')
      .matchAll(/\b([\d,]+) (?:of [\d,]+ )?(?:people|persons|respondents|adults|did not)\b/g),
  ].map(([words, figure = '']) => ({ words, figure: Number(figure.replace(/,/g, '')) }));

test('no sentence reveals a small number of people; with small cells shown, some do', async () => {
  const few = (all: Map<string, string>) =>
    [...all]
      .filter(([name]) => /\.(html|md|xml)$/.test(name))
      .flatMap(([name, text]) => peopleIn(text).map((one) => ({ name, ...one })))
      .filter(({ figure, words }) => figure > 0 && figure < SMALLEST && !/^\d fewer/.test(words));
  expect(few(files)).toEqual([]);
  await root.patch('/api/study', { smallestCell: 0 }).expect(200);
  const careless = await download();
  await root.patch('/api/study', { smallestCell: SMALLEST }).expect(200);
  expect(
    few(careless)
      .map(({ name }) => name)
      .join(' '),
  ).toContain('homelessMonths');
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
