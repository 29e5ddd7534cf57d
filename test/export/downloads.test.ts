/** Downloads over HTTP and by command: the same sample, recorded in the audit, and only for people with permission. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { EXPORT_FILE_NAMES, EXPORT_FILES } from '../../src/exports/schema.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';
import { loadSample } from '../../src/statistics/sample/load.ts';
import type { Person, World } from '../people.ts';
import {
  activate,
  LATER,
  QUESTIONNAIRE,
  type SimulatedPerson,
  startSampleWorld,
} from '../sample/simulated.ts';
import { command, openFolder, SLOW } from '../scripts/kit.ts';
import { hasPspp } from './pspp.ts';
import { bytesOf, entriesOf } from './zip-reader.ts';

const execute = promisify(execFile);

const COLUMNS = { id: 'id', recruiter: 'recruiter.id', size: 'network.size', time: null };
let world: World;
let root: Person;
let questionnaire: string;
let people: SimulatedPerson[];
let early: SimulatedPerson;
let sites: string[];
let folder: Awaited<ReturnType<typeof openFolder>>;
const surveys = () => mongoose.connection.collection('surveys');
const oid = (id: string) => new mongoose.Types.ObjectId(id);
const codeOf = (id: string, at: number) => `ZY${id.slice(-5).toUpperCase()}${at}`;

beforeAll(async () => {
  folder = await openFolder();
  const request = { people: 150, seeds: 5 };
  ({ world, root, questionnaire, sites, people } = await startSampleWorld(5, request, {
    // One device had a slow clock.
    change(all) {
      early = all.find(({ recruiter }) => recruiter !== null)!;
      early.startedAt = new Date(all[0]!.startedAt.getTime() - 86_400_000);
    },
    more: (one) => ({
      referralCode: one.recruiter === null ? null : codeOf(one.id, 9),
      issuedCodes: Array.from({ length: one.issued }, (_, at) => codeOf(one.id, at)),
    }),
  }));
}, SLOW);
afterAll(async () => {
  await world.stop();
  await folder.remove();
});

async function file(
  by: Person,
  url: string,
): Promise<{ status: number; bytes: Buffer; text: string; headers: Record<string, string> }> {
  const reply = await by.get(`/api/exports/${url}`).buffer(true).parse(bytesOf);
  const bytes = reply.body as Buffer;
  return { status: reply.status, bytes, text: bytes.toString('utf8'), headers: reply.headers };
}
const bodyOf = ({ text }: { text: string }) => JSON.parse(text);
const downloads = async () =>
  (await root.get('/api/audit?action=download&limit=200').expect(200)).body.data as {
    id: string;
    by: string;
    changes: { path: string; after: unknown }[];
  }[];

test('rds.csv and rdsat.txt contain the sample used for estimates, in the same order', async () => {
  const zone = 'America/Los_Angeles';
  const loaded = await loadSample({ window: {}, zone, now: LATER, outcomes: 'ALL' });
  for (const name of ['rds.csv', 'rdsat.txt']) {
    const { status, text, headers } = await file(root, name);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: `${EXPORT_FILES[name as 'rds.csv'].type}; charset=utf-8`,
    });
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
    const { sample, outcome, remarks } = parseSampleFile(text, COLUMNS);
    expect(remarks).toEqual([]);
    expect(sample).toMatchObject({
      ids: loaded.ids,
      recruiters: loaded.recruiters,
      reportedSizes: loaded.reportedSizes,
      order: Int32Array.from(loaded.ids.keys()),
    });
    for (const one of loaded.outcomes)
      expect(outcome(one.name, one.outcome.kind === 'NUMBER' ? 'number' : 'category')).toEqual(one.outcome);
  }
});

test('a start before the recruiter’s is set to the recruiter’s, and the README lists the interview', async () => {
  const { text } = await file(root, 'rds.csv');
  const rows = parseCsv(text).map(({ cells }) => cells);
  const timeOf = (id: string | null) => rows.find(([one]) => one === id)?.[5];
  expect(timeOf(early.id)).toBe(timeOf(early.recruiter));
  const { bytes } = await file(root, 'bundle.zip');
  const readme = entriesOf(bytes).get('README.md') ?? '';
  const named = readme.slice(readme.indexOf('## Starts before'));
  expect(named.match(/^- [0-9a-f]{24}: /gm)).toEqual([`- ${early.id}: `]);
});

test('the bundle has the same sample files as single downloads, a codebook, a README and an R script', async () => {
  const { bytes } = await file(root, 'bundle.zip');
  const entries = entriesOf(bytes);
  const alone = ['rds.csv', 'rdsat.txt', 'tree.graphml', 'tree.dot'];
  const own = ['README.md', 'codebook.csv', 'weights.csv', 'estimates.csv', 'study.R', 'chain.R'];
  const syntax = ['rds.sps', 'rds.do', 'interviews.sps', 'interviews.do'];
  expect([...entries.keys()].sort()).toEqual([...own, ...syntax, ...alone].sort());
  for (const name of alone) expect(entries.get(name)).toBe((await file(root, name)).text);
  expect(entries.get('README.md')).toMatch(/^# Field survey\n[\s\S]*2027-06-15[\s\S]*\| people \| 150 \|/);
  const script = entries.get('study.R') ?? '';
  expect(script).toContain('categories <- c("status", "region", "services.food",');
  expect(script).toContain(`"${sites[0]}" = "North Hall"`);
  expect(script).toMatch(/population <- NA\n[\s\S]*RDS\.II\.estimates[\s\S]*posteriorsize/);
});

(hasPspp ? test : test.skip)(
  'PSPP reads rds.csv and interviews.csv with the syntax of the bundle',
  async () => {
    const entries = entriesOf((await file(root, 'bundle.zip')).bytes);
    for (const name of ['rds', 'interviews']) {
      const { text } = await file(root, `${name}.csv`);
      const [heading = [], ...rows] = parseCsv(text).map(({ cells }) => cells);
      const own = folder.path(name);
      await mkdir(own);
      await writeFile(join(own, `${name}.csv`), text);
      await writeFile(join(own, 'read.sps'), entries.get(`${name}.sps`) ?? '');
      const back = `GET FILE='${name}.sav'.\nSAVE TRANSLATE /OUTFILE='back.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES.\n`;
      await writeFile(join(own, 'back.sps'), back);
      for (const syntax of ['read.sps', 'back.sps']) {
        const { stdout, stderr } = await execute('pspp', ['-o', 'out.txt', syntax], { cwd: own });
        expect(stdout + stderr).toBe('');
      }
      const [names = [], ...again] = parseCsv(await readFile(join(own, 'back.csv'), 'utf8')).map(
        ({ cells }) => cells,
      );
      expect([names.length, again.length]).toEqual([heading.length, rows.length]);
      for (const column of ['id', 'wave', 'status']) {
        const at = heading.indexOf(column);
        const cellsOf = (table: (string | null)[][]) => table.map((row) => row[at]?.trim() || null);
        expect({ name, column, cells: cellsOf(again) }).toEqual({ name, column, cells: cellsOf(rows) });
      }
    }
  },
  SLOW,
);

test('the bundle’s codebook describes the columns of its rds.csv, under the same names', async () => {
  const elements = [
    ...QUESTIONNAIRE.definition.elements,
    ...['location', 'seed', 'time', 'site', 'review'].map((name) => ({
      ...{ type: 'radiogroup', name, title: `Question ${name}`, choices: ['a', 'b'] },
    })),
  ];
  await activate(root, { ...QUESTIONNAIRE, definition: { elements } });
  const entries = entriesOf((await file(root, 'bundle.zip')).bytes);
  const rowsOf = (name: string) => parseCsv(entries.get(name) ?? '').map(({ cells }) => cells);
  const [heading = [], ...rows] = rowsOf('codebook.csv');
  const columns = rowsOf('rds.csv')[0]!;
  expect(rows.map(([name]) => name)).toEqual(columns);
  for (const name of [
    'location',
    'answer.location',
    'answer.seed',
    'answer.time',
    'site',
    'review',
    'status',
  ])
    expect(columns).toContain(name);
  const of = (name: string) => {
    const row = rows.find(([one]) => one === name) ?? [];
    return Object.fromEntries(heading.map((column, at) => [column, row[at]]));
  };
  expect(of('network.size')).toMatchObject({ type: 'record', network_size: '1', questionnaires: '' });
  expect(of('status')).toMatchObject({
    type: 'category',
    questionnaires: `${QUESTIONNAIRE.name}@1; ${QUESTIONNAIRE.name}@2`,
    text_en: 'Positive?',
    values_es: 'no = No | yes = Sí',
  });
  expect(of('answer.seed')).toMatchObject({ text_en: 'Question seed', values_en: 'a = a | b = b' });
  expect(of('services.food').values_en).toMatch(/^0 = .* \| 1 = food$/);
  expect(of('location').values_en).toContain(`${sites[0]} = North Hall`);
  expect(of('score')).toMatchObject({ type: 'number', values_en: '' });
  await root.patch(`/api/questionnaires/${questionnaire}`, { active: true, confirm: true }).expect(200);
});

test('incentives.csv is in the bundle once the study pays incentives', async () => {
  const incentives = { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null };
  await root.patch('/api/study', { incentives }).expect(200);
  const entries = entriesOf((await file(root, 'bundle.zip')).bytes);
  const rowsOf = (text = '') => parseCsv(text).map(({ cells }) => cells);
  const [plain, full] = [entries.get('incentives.csv'), (await file(root, 'incentives.csv')).text].map(
    rowsOf,
  );
  const people = ['paid_by_name', 'interviewer_id', 'interviewer', 'claim_number', 'coupon'];
  expect(full?.[0]?.slice(-people.length)).toEqual(people);
  // The bundle is for statistics: without codes and names.
  expect(plain).toEqual(full?.map((cells) => cells.slice(0, -people.length)));
  expect(entries.get('README.md')).toContain('`incentives.csv`');
});

test('the GraphML and DOT trees have every person and recruitment', async () => {
  const [xml, dots] = [(await file(root, 'tree.graphml')).text, (await file(root, 'tree.dot')).text];
  const recruits = people.filter(({ recruiter }) => recruiter !== null);
  for (const { id, recruiter } of recruits) {
    expect(xml).toContain(`<edge source="${recruiter}" target="${id}"/>`);
    expect(dots).toContain(`"${recruiter}" -> "${id}";`);
  }
  expect(xml.match(/<node id=/g)).toHaveLength(people.length);
  expect(xml.match(/<edge /g)).toHaveLength(recruits.length);
  expect(dots.match(/->/g)).toHaveLength(recruits.length);
});

test('coupon codes are in no file of the sample, and team names and phones neither', async () => {
  for (const name of EXPORT_FILE_NAMES) {
    const { bytes, text } = await file(root, name);
    const all = name === 'bundle.zip' ? [...entriesOf(bytes).values()].join('\n') : text;
    const code = codeOf(early.id, 9);
    const codes = [code, `${code.slice(0, 4)}-${code.slice(4)}`].some((one) => all.includes(one));
    expect({ name, codes }).toEqual({ name, codes: name.startsWith('interviews.') });
    expect(all).not.toContain('Quetzalcoatl');
    expect(all).not.toContain(root.phone.slice(1));
  }
});

test('interviews.json has the same cells as interviews.csv', async () => {
  const [heading, ...rows] = parseCsv((await file(root, 'interviews.csv')).text).map(({ cells }) => cells);
  const records = bodyOf(await file(root, 'interviews.json')) as Record<string, unknown>[];
  expect(records).toHaveLength(150);
  expect(rows.map((row) => Object.fromEntries(heading!.map((name, at) => [name, row[at]])))).toEqual(
    records.map((one) =>
      Object.fromEntries(Object.entries(one).map(([name, value]) => [name, String(value ?? '')])),
    ),
  );
});

test('files can be filtered by site and dates; recruits whose recruiter is excluded become seeds', async () => {
  const day = people[75]!.startedAt.toISOString().slice(0, 10);
  const query = `location=${sites[0]}&from=${day}`;
  const { sample } = parseSampleFile((await file(root, `rds.csv?${query}`)).text, COLUMNS);
  const { text } = await file(root, `interviews.csv?${query}`);
  const ids = parseCsv(text)
    .slice(1)
    .map(({ cells }) => cells[0]);
  expect([...sample.ids].sort()).toEqual([...ids].sort());
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.length).toBeLessThan(75);
  expect(bodyOf(await file(root, 'interviews.json?from=2030-01-01'))).toEqual([]);
  expect((await file(root, 'rds.csv?from=2030-01-01')).text).toMatch(/^id,recruiter\.id,[^\n]*\n$/);
  expect((await file(root, 'rds.csv?seed=1')).status).toBe(400);
});

test(
  'an invalid sample is 409 with the interviews at fault, without any content',
  async () => {
    const seeds = people.filter(({ recruiter }) => recruiter === null);
    const b = people.find(({ recruiter }) => seeds.some(({ id }) => id === recruiter))!;
    const a = seeds.find(({ id }) => id === b.recruiter)!;
    const before = (await downloads()).length;
    await surveys().updateOne({ _id: oid(a.id) }, { $set: { recruiter: oid(b.id) } });
    try {
      for (const name of ['rds.csv', 'bundle.zip']) {
        const reply = await file(root, name);
        expect({ status: reply.status, code: bodyOf(reply).code }).toEqual({
          status: 409,
          code: 'SAMPLE_BROKEN',
        });
        expect(
          bodyOf(reply)
            .errors.map(({ path }: { path: string }) => path)
            .sort(),
        ).toEqual([a.id, b.id].sort());
        expect(reply.headers['content-type']).toMatch('application/json');
      }
      expect((await file(root, 'interviews.csv')).status).toBe(200);
      expect(await downloads()).toHaveLength(before + 1);
      const { code, out, err } = await command('export', [
        '--name',
        'rds.csv',
        '--out',
        folder.path('broken.csv'),
      ]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain(`${a.id}: These surveys recruited each other in a loop`);
    } finally {
      await surveys().updateOne({ _id: oid(a.id) }, { $set: { recruiter: null } });
    }
  },
  SLOW,
);

test(
  'each download is in the audit trail with its filters, also by a command; a HEAD request is not',
  async () => {
    const before = new Set((await downloads()).map(({ id }) => id));
    const head = await fetch(`${world.url}/api/exports/rds.csv`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${root.token}` },
    });
    expect(head.status).toBe(200);
    await file(root, `tree.dot?location=${sites[1]}&to=2027-05-01`);
    const path = folder.path('again.csv');
    const { code, out } = await command('export', ['--name', 'rds.csv', '--out', path]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Wrote rds\.csv, \d+ kB, to /) });
    expect(await readFile(path, 'utf8')).toBe((await file(root, 'rds.csv')).text);
    const own = [
      '--out',
      folder.path('own.csv'),
      '--codebook',
      folder.path('own-book.csv'),
      '--completed-only',
    ];
    expect(await command('export', [...own, '--from', '2027-01-01'])).toMatchObject({ code: 0 });
    const newDownloads = (await downloads()).filter(({ id }) => !before.has(id)).reverse();
    const words = newDownloads.map(({ by, changes }) => [
      by,
      ...changes.flatMap(({ path, after }) => [path, after]),
    ]);
    // The command uses the real clock, and the service's is ahead of it.
    expect(words).toEqual([
      [null, 'file', 'rds.csv'],
      [null, 'file', 'interviews.csv', 'from', '2027-01-01', 'completedOnly', true, 'codebook', true],
      [root.id, 'file', 'tree.dot', 'location', sites[1], 'to', '2027-05-01'],
      [root.id, 'file', 'rds.csv'],
    ]);
  },
  SLOW,
);

test('an unconditional grant to read interviews opens the sample, a conditional one does not', async () => {
  const grant = (conditions: string[]) =>
    world.person({ role: 'MANAGER', permissions: [{ action: 'read', subject: 'Survey', conditions }] });
  expect((await file(await grant([]), 'rds.csv')).status).toBe(200);
  expect((await file(await grant(['WAS_CREATED_TODAY']), 'rds.csv')).status).toBe(403);
});
