/** Arguments are checked together before anything is started, and the plain commands do their job. */
import { existsSync, readdirSync } from 'node:fs';
import mongoose from 'mongoose';
import { startWorld, type World } from '../people.ts';
import { readCoupons } from '../print/printed.ts';
import { all, command, openFolder, SLOW, start, uriOf } from './kit.ts';

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
}, SLOW);
afterAll(async () => {
  await world.stop();
  await folder.remove();
});

test.each([
  [
    'generate-seeds',
    ['--count', 'ten', '--paper', 'A5', '--size', '3', '--reprint'],
    ['--count', '--paper', "unknown option '--size'", '--reprint', '(see --help)'],
  ],
  [
    'generate-coupons',
    ['--count', '0', '--layout', 'book', '--languages', ','],
    ['--count', '--layout', '--languages', '(see --help)'],
  ],
  [
    'users',
    ['create', '--role', 'BOSS', '--email', 'x'],
    ['--role', '--phone', '--first-name', '--last-name', 'email: ', '(see --help)'],
  ],
  ['locations', ['create', '--type', 'HUT', '--coordinates', '3'], ['--type', "'name'", '(see --help)']],
  ['restore', ['--to', 'x'], ["unknown option '--to'", '--from', '(see --help)']],
  [
    'export',
    ['--format', 'xls', '--from', 'soon', '--out', 'a', '--codebook', 'a'],
    ['--format', 'different names', 'from: ', '(see --help)'],
  ],
])(
  '%s %j: every wrong argument is named at once, and nothing is started',
  async (name, args, expected) => {
    // No database could be reached here, and no folder for one of its own may appear.
    const data = folder.path(`data-${name}`);
    const { code, out, err } = await start(name, args, { MONGO_URI: '', DATA_DIR: data }).ended;
    expect({ code, out, data: existsSync(data) }).toEqual({ code: 2, out: '', data: false });
    const lines = err.split('\n');
    expect(lines).toHaveLength(expected.length);
    for (const part of expected) expect(err).toContain(part);
  },
  SLOW,
);

test(
  'a missing input file and a file that would be replaced are refused before anything is started',
  async () => {
    const data = folder.path('data-files');
    const env = { MONGO_URI: '', DATA_DIR: data };
    const both = ['--from', folder.path('none.archive'), '--identity', folder.path('none.key')];
    const { code, err } = await start('restore', both, env).ended;
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 2 });
    expect(err).toMatch(/none\.archive doesn't exist\.\n.*none\.key doesn't exist\.$/);
    const there = await start('backup', ['--out', 'package.json'], env).ended;
    expect(there).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
    expect(existsSync(data)).toBe(false);
  },
  SLOW,
);

test(
  'the help says which options are required and what the others default to',
  async () => {
    const { out } = await command('users', ['create', '--help']);
    const text = out.replace(/\s+/g, ' ');
    expect(text).toContain('such as +12065550100 (required)');
    expect(text).toContain('(one of SUPER_ADMIN, ADMIN, MANAGER, VOLUNTEER; default: VOLUNTEER)');
  },
  SLOW,
);

describe('without any argument', () => {
  const plain = (name: string, args: string[] = []) =>
    command(name, args, { INIT_CWD: folder.path('.'), MONGO_URI: uriOf() });
  const pdfs = () => readdirSync(folder.path('.')).filter((name) => name.endsWith('.pdf'));

  test(
    'generate-seeds says how to create a site where there is none',
    async () => {
      await mongoose.connection.collection('locations').deleteMany({});
      expect(await plain('generate-seeds')).toMatchObject({
        code: 1,
        err: expect.stringContaining('npm run locations -- create'),
      });
    },
    SLOW,
  );

  test(
    'generate-seeds creates ten seeds at the only site in a new file, and the next time in another one',
    async () => {
      const site = await world.place('Library');
      for (const printed of [1, 2]) {
        const { code, out } = await plain('generate-seeds');
        expect({ code, out }).toEqual({
          code: 0,
          out: expect.stringContaining('Created 10 seeds at Library'),
        });
        expect(pdfs()).toHaveLength(printed);
      }
      const seeds = await all('seeds');
      expect(seeds.map(({ location }) => String(location))).toEqual(Array.from({ length: 20 }, () => site));
      expect(pdfs().sort()).toEqual([
        expect.stringMatching(/^seeds-\d{4}-\d\d-\d\d-2\.pdf$/),
        expect.stringMatching(/^seeds-\d{4}-\d\d-\d\d\.pdf$/),
      ]);
      const codes = await readCoupons(folder.path(pdfs()[0] ?? ''), { layout: 'page', paper: 'A4' });
      expect(codes).toHaveLength(10);
    },
    SLOW,
  );

  test(
    'generate-coupons creates a batch at the only site',
    async () => {
      expect((await plain('generate-coupons')).out).toMatch(/100 coupons for Library: .*coupons-.*\.pdf$/);
    },
    SLOW,
  );

  test(
    'generate-seeds lists the sites to choose from, and creates nothing',
    async () => {
      await world.place('Harbor');
      const { code, err } = await plain('generate-seeds');
      expect({ code, err }).toEqual({ code: 2, err: 'Choose a site with --location:\n  Harbor\n  Library' });
      expect(await all('seeds')).toHaveLength(20);
    },
    SLOW,
  );

  test.each([
    ['backup', [], /^backup-[\d-]+\.archive$/],
    ['export', [], /^interviews-[\d-]+\.csv$/],
    ['locations', ['export'], /^sites-[\d-]+\.yaml$/],
    ['questionnaires', ['export'], /-1-[\d-]+\.json$/],
  ])(
    '%s %j writes a file with today’s date',
    async (name, args, file) => {
      expect((await plain(name, args)).code).toBe(0);
      expect(readdirSync(folder.path('.')).filter((one) => file.test(one))).toHaveLength(1);
    },
    SLOW,
  );

  test(
    'analyse lists the outcomes to choose from',
    async () => {
      const { code, err } = await plain('analyse');
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringMatching(/^Choose one or more with --outcome:\n {2}\w+\n/),
      });
    },
    SLOW,
  );
});
