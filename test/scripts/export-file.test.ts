/** The file of an export: rejected, complete or absent, whatever its size. */
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import mongoose from 'mongoose';
import { BACKUPS_COLLECTION } from '../../src/platform/db/last-backup.ts';
import { makeSurvey } from '../make.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { all, command, databaseNamed, openFolder, SLOW, start, until, uriOf } from './kit.ts';

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
let ana: Person;
const MANY = `t_many_${process.pid}`;

beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
  ana = await world.person({ role: 'SUPER_ADMIN' });
  await makeSurvey(world, ana);
}, SLOW);
afterAll(async () => {
  await databaseNamed(MANY).dropDatabase();
  await world.stop();
  await folder.remove();
});

test(
  'the file has no names or phone numbers of the team, and is readable only by its owner',
  async () => {
    const path = folder.path('private.csv');
    const { code, out } = await command('export', ['--out', path]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^Wrote 1 interview in \d+ columns, \d+ kB, to /),
    });
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain(ana.phone);
    expect(text).not.toContain('Person');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  },
  SLOW,
);

test(
  'existing data and codebook files are not overwritten without --force',
  async () => {
    const [data, book] = [folder.path('new.csv'), folder.path('old.csv')];
    await writeFile(book, 'mine');
    const refused = await command('export', ['--out', data, '--codebook', book]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/old\.csv already exists/) });
    expect([existsSync(data), await readFile(book, 'utf8')]).toEqual([false, 'mine']);
    expect(await command('export', ['--out', data, '--codebook', book, '--force'])).toMatchObject({
      code: 0,
    });
    expect(await readFile(book, 'utf8')).toMatch(/^column,/);
  },
  SLOW,
);

test.each([
  [['--out', 'x.csv', '--format', 'xlsx'], /xlsx/],
  [['--out', 'x.csv', '--from', 'yesterday'], /^from: /],
  [['--out', 'x.csv', '--from', '2026-02-31'], /^from: /],
  [['--out', 'x.csv', '--codebook', 'x.csv'], /different names/],
  [['--out', 'x.csv', '--sites', 'all'], /unknown option/],
  [['--name', 'rds.csv', '--format', 'json'], /--format: .*--name interviews\.json/],
  [['--name', 'interviews.csv', '--codebook', 'b.csv'], /--codebook: .*--name codebook\.csv/],
])(
  'invalid arguments exit with 2 and one line: %j',
  async (args, line) => {
    const { code, out, err } = await command('export', args);
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
    expect(err).toMatch(line);
  },
  SLOW,
);

test(
  'an unknown site or a missing folder is one line and exit code 1',
  async () => {
    const site = await command('export', ['--out', folder.path('no.csv'), '--location', 'Nowhere']);
    expect(site).toMatchObject({ code: 1, err: 'No location has the id or name "Nowhere".' });
    const path = folder.path('nowhere/study.csv');
    const { code, err } = await command('export', ['--out', path]);
    expect({ code, err }).toEqual({ code: 1, err: `The folder ${folder.path('nowhere')} doesn't exist.` });
  },
  SLOW,
);

/** A small file system; null if mounting is not allowed. */
function mounted(name: string, options: string): string | null {
  const path = folder.path(name);
  mkdirSync(path);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  return status === 0 ? path : null;
}

test(
  'every command that writes a file says if a folder is not writable, read-only, full or not a folder',
  async () => {
    const readOnly = mounted('read-only', 'ro');
    const full = mounted('full', 'size=4096,nr_inodes=3');
    if (full) for (const at of [1, 2]) await writeFile(join(full, String(at)), at === 1 ? 'x' : '');
    await writeFile(folder.path('file'), '');
    const refusals: [folder: string | null, message: (file: string) => string][] = [
      ['/proc', () => "Can't write to /proc."],
      // Rejects everyone, even root.
      ['/sys', (file) => `You don't have permission to write ${file}.`],
      [readOnly, () => `Can't write to ${readOnly}: it is read-only.`],
      [full, () => 'The disk is full.'],
      [folder.path('file'), () => `${folder.path('file')} is not a folder.`],
      [folder.path('none'), () => `The folder ${folder.path('none')} doesn't exist.`],
    ];
    // Errors of the system have messages in one place: each is tested with one command, and two with all.
    const EVERYWHERE = new Set(['/proc', folder.path('none')]);
    const commands: [name: string, args: (file: string) => string[]][] = [
      ['export', (file) => ['--out', file]],
      ['export', (file) => ['--name', 'interviews.csv', '--out', file]],
      ['backup', (file) => ['--out', file]],
      ['locations', (file) => ['export', file]],
      ['questionnaires', (file) => ['export', 'active', file]],
    ];
    try {
      for (const [place, message] of refusals)
        for (const [name, args] of place ? commands.slice(0, EVERYWHERE.has(place) ? undefined : 1) : []) {
          const file = join(place ?? '', 'x.csv');
          const { code, err } = await command(name, args(file));
          expect([name, place, code, err]).toEqual([name, place, 1, message(file)]);
        }
    } finally {
      for (const path of [readOnly, full]) if (path) spawnSync('umount', ['--lazy', path]);
    }
  },
  SLOW,
);

describe('with many interviews', () => {
  const env = { MONGO_URI: uriOf(MANY) };
  const COUNT = 5_000;
  const story = 'Every interview holds a long story of its own. '.repeat(640);

  beforeAll(async () => {
    const [template] = await all('surveys');
    const fields = { ...template, clientId: null, referralCode: null };
    const surveys = databaseNamed(MANY).collection('surveys');
    const questionnaires = await all('questionnaires');
    await databaseNamed(MANY).collection('questionnaires').insertMany(questionnaires);
    let recruiter: mongoose.Types.ObjectId | null = null;
    for (let first = 0; first < COUNT; first += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        const _id = new mongoose.Types.ObjectId();
        const row = { ...fields, _id, recruiter, networkSize: first + at, responses: { comment: story } };
        recruiter = _id;
        return row;
      });
      await surveys.insertMany(rows);
    }
  }, SLOW);

  test(
    'an export stays within 112 MB of memory',
    async () => {
      const path = folder.path('many.csv');
      // All stories together are larger than its memory limit.
      expect((COUNT * story.length) / 1e6).toBeGreaterThan(130);
      const NODE_OPTIONS = '--max-old-space-size=112';
      const { code, err } = await command('export', ['--out', path], { ...env, NODE_OPTIONS });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const rows: string[][] = [];
      for await (const line of createInterface(createReadStream(path))) rows.push(line.split(',', 6));
      const sizes = rows.slice(1).map((row) => Number(row[5]));
      expect(sizes).toEqual(Array.from({ length: COUNT }, (_, at) => at));
      expect(rows.filter((row) => row[1] === 'seed')).toHaveLength(1);
    },
    SLOW,
  );

  test(
    'an interrupted export leaves no file',
    async () => {
      const [path, book] = [folder.path('interrupted.csv'), folder.path('interrupted-book.csv')];
      const running = start('export', ['--out', path, '--codebook', book], env);
      await until(() => folder.names('interrupted.csv.').length > 0, 'it writes');
      running.child.kill('SIGINT');
      expect(await running.ended).toMatchObject({ code: 130, err: 'Interrupted.' });
      expect(folder.names('interrupted')).toEqual([]);
    },
    SLOW,
  );
});

const asideIn = (dataDir: string) => readdirSync(dataDir).filter((one) => one.startsWith('out-'));

test.each([
  ['export', [], /^\uFEFF?"?\w+"?,/, /^Wrote 1 interview in \d+ columns, \d+ kB, to standard output$/],
  ['export', ['--name', 'interviews.json'], /^\[/, /^Wrote interviews\.json, .* to standard output$/],
  ['backup', [], /^\W/, /Wrote .* to standard output$/],
  ['generate-coupons', ['--location', 'Harbor', '--count', '2'], /^%PDF-/, /standard output/],
])(
  '%s %j --out - writes the file to stdout, and messages to stderr',
  async (name, args, file, words) => {
    if (name === 'generate-coupons') await world.place('Harbor');
    const dataDir = folder.path('data');
    const { out, err, code } = await start(name, [...args, '--out', '-'], { DATA_DIR: dataDir }).ended;
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(words) });
    expect(out).toMatch(file);
    expect(asideIn(dataDir)).toEqual([]);
  },
  SLOW,
);

test(
  'closing the output early is a failure that leaves nothing behind and records no backup',
  async () => {
    const dataDir = folder.path('closed');
    await mongoose.connection.collection(BACKUPS_COLLECTION).deleteMany({});
    const running = start('backup', ['--out', '-'], { DATA_DIR: dataDir });
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Standard output was closed before everything was printed\.$/),
    });
    expect(asideIn(dataDir)).toEqual([]);
    expect(await mongoose.connection.collection(BACKUPS_COLLECTION).countDocuments()).toBe(0);
    await start('backup', ['--out', '-'], { DATA_DIR: dataDir }).ended;
    expect(await mongoose.connection.collection(BACKUPS_COLLECTION).countDocuments()).toBe(1);
  },
  SLOW,
);

test(
  'files left by a killed command are removed the next day',
  async () => {
    const dataDir = folder.path('left');
    const [old, fresh] = ['out-old', 'out-fresh'].map((name) => join(dataDir, name)) as [string, string];
    for (const path of [old, fresh]) mkdirSync(path, { recursive: true });
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(old, dayAgo, dayAgo);
    await start('export', ['--out', '-'], { DATA_DIR: dataDir }).ended;
    expect(asideIn(dataDir)).toEqual(['out-fresh']);
  },
  SLOW,
);
