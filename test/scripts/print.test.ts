/** Printed seeds and coupons: codes and records match, whatever goes wrong midway. */
import { existsSync, statSync } from 'node:fs';
import { readdir, rename, writeFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import type { CouponSheet } from '../../src/coupons/print/coupon-sheet.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { readCoupons } from '../print/printed.ts';
import { all, answerOf, command, openFolder, SLOW, start, until } from './kit.ts';

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
let ana: Person;
let site: string;

beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
  site = await world.place('Centro comunitario Nuestra Señora de los Ángeles, Ñuñoa');
  ana = await world.person({ role: 'ADMIN', location: site });
}, SLOW);
afterAll(async () => {
  await world.stop();
  await folder.remove();
});

/** The QR codes of the coupons. */
const decode = (pdf: string, layout: CouponSheet['layout'] = 'page') =>
  readCoupons(pdf, { layout, paper: 'A4' });

async function expectValid(links: string[]): Promise<void> {
  for (const link of links) {
    const code = /^https:\/\/survey\.example\.org\/c\/(\w{8})$/.exec(link)?.[1];
    const { body } = await ana.get(`/api/validate-referral-code/${code}`).expect(200);
    expect(body).toMatchObject({ code, isValid: true });
  }
}

const leftovers = async () => (await readdir(folder.path('.'))).filter((name) => /^\.|\.part$/.test(name));
/** The codes in a file can be used by whoever reads it. */
const isPrivate = (path: string) => (statSync(path).mode & 0o077) === 0;
const SEEDS = ['--location', 'centro comunitario nuestra señora de los ángeles, ñuñoa'];

test(
  'seeds are created and printed, each with a QR code to the client and a valid code',
  async () => {
    const out = folder.path('seeds.pdf');
    const args = [...SEEDS, '--count', '12', '--layout', 'cards', '--note', 'knows many', '--out', out];
    const { seeds } = await answerOf('generate-seeds', args);
    expect(seeds).toHaveLength(12);
    expect(seeds[0]).toMatchObject({ kind: 'PLANNED', location: site, note: 'knows many', createdBy: null });
    const links = await decode(out, 'cards');
    const codes = seeds.map(
      (seed: { referralCode: string }) => `https://survey.example.org/c/${seed.referralCode}`,
    );
    expect(links.sort()).toEqual(codes.sort());
    await expectValid(links);
    expect(isPrivate(out)).toBe(true);
    expect(await leftovers()).toEqual([]);
  },
  SLOW,
);

test(
  'the same command again creates no seeds and keeps the file',
  async () => {
    const out = folder.path('seeds.pdf');
    const again = await command('generate-seeds', [...SEEDS, '--count', '12', '--out', out]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
    expect(await all('seeds')).toHaveLength(12);
  },
  SLOW,
);

test(
  '--reprint prints existing unused seeds without creating any',
  async () => {
    const [used, ...rest] = await all('seeds');
    const seeds = mongoose.connection.collection('seeds');
    await seeds.updateOne({ _id: used?._id as never }, { $set: { survey: used?._id } });
    const out = folder.path('again.pdf');
    const { codes } = await answerOf('generate-seeds', [
      '--reprint',
      '--paper',
      'LETTER',
      '--layout',
      'labels',
      '--out',
      out,
    ]);
    expect(codes.sort()).toEqual(rest.map((seed) => seed.referralCode).sort());
    expect([isPrivate(out), await leftovers()]).toEqual([true, []]);
    const one = await answerOf('generate-seeds', [
      '--reprint',
      String(rest[0]?._id),
      '--out',
      folder.path('one.pdf'),
    ]);
    expect(one.codes).toEqual([rest[0]?.referralCode]);
    expect(await decode(folder.path('one.pdf'))).toEqual([
      `https://survey.example.org/c/${rest[0]?.referralCode}`,
    ]);
    expect(await all('seeds')).toHaveLength(12);
  },
  SLOW,
);

test(
  'an interrupted run leaves no seed and no file',
  async () => {
    const out = folder.path('interrupted.pdf');
    const running = start('generate-seeds', [...SEEDS, '--count', '5000', '--out', out]);
    await until(async () => (await leftovers()).some((name) => name.endsWith('.part')), 'it prints');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, out: '', err: 'Interrupted.' });
    expect(await all('seeds')).toHaveLength(12);
    expect(await leftovers()).toEqual([]);
    expect(existsSync(out)).toBe(false);
  },
  SLOW,
);

test(
  'a run killed before its codes were stored leaves nothing after the next run',
  async () => {
    const out = folder.path('killed.pdf');
    const running = start('generate-seeds', [...SEEDS, '--count', '5000', '--out', out]);
    await until(async () => (await leftovers()).some((name) => name.endsWith('.part')), 'it prints');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await all('seeds')).toHaveLength(12);
    await answerOf('generate-seeds', [...SEEDS, '--count', '1', '--out', out]);
    expect(await decode(out)).toHaveLength(1);
    expect(await leftovers()).toEqual([]);
    expect(await all('seeds')).toHaveLength(13);
  },
  SLOW,
);

test(
  'the file of a run killed after its codes were stored is recovered by the next run',
  async () => {
    const [seed] = (await all('seeds')).slice(-1);
    const out = folder.path('killed.pdf');
    await rename(out, folder.path(`.killed.pdf.${seed?._id}.part`));
    const next = await command('generate-seeds', [...SEEDS, '--count', '1', '--out', out]);
    expect(next.err).toMatch(/^Recovered .*\n.*already exists/);
    expect(next.code).toBe(1);
    expect(await decode(out)).toEqual([`https://survey.example.org/c/${seed?.referralCode}`]);
  },
  SLOW,
);

test(
  'an unwritable path creates no seeds',
  async () => {
    await writeFile(folder.path('file'), '');
    const { code } = await command('generate-seeds', [
      ...SEEDS,
      '--count',
      '2',
      '--out',
      folder.path('file/seeds.pdf'),
    ]);
    expect(code).toBe(1);
    expect(await all('seeds')).toHaveLength(13);
  },
  SLOW,
);

test(
  'a batch of coupons can be printed, listed, reprinted, and its rest voided',
  async () => {
    const out = folder.path('coupons.pdf');
    const coupons = await answerOf('generate-coupons', [...SEEDS, '--count', '11', '--out', out]);
    const links = await decode(out, 'cards');
    expect(links).toHaveLength(11);
    await expectValid(links);
    const [listed] = await answerOf('generate-coupons', ['--list']);
    expect(listed).toMatchObject({
      id: coupons.batch,
      count: 11,
      left: 11,
      redeemed: 0,
      voided: 0,
      location: site,
    });
    const again = await answerOf('generate-coupons', [
      '--reprint',
      coupons.batch,
      '--out',
      folder.path('c2.pdf'),
    ]);
    expect(again.codes).toEqual(coupons.codes);
    expect(await answerOf('generate-coupons', ['--void-rest', coupons.batch, '-n'])).toMatchObject({
      voided: 11,
    });
    expect(await answerOf('generate-coupons', ['--void-rest', coupons.batch])).toMatchObject({ voided: 11 });
    expect(await answerOf('generate-coupons', ['--void-rest', coupons.batch])).toMatchObject({ voided: 0 });
    const { body } = await ana.get(`/api/validate-referral-code/${coupons.codes[0]}`).expect(200);
    expect(body).toMatchObject({ isValid: false, reason: 'VOID' });
  },
  SLOW,
);

test.each([
  ['generate-seeds', [...SEEDS, '--count', '0', '--out', 'x.pdf'], /whole number from 1 to 5000/],
  ['generate-seeds', ['--reprint', '--count', '2'], /--reprint doesn't create seeds/],
  ['generate-seeds', [...SEEDS, '--count', '2', '--paper', 'A5', '--out', 'x.pdf'], /--paper/],
  [
    'generate-seeds',
    [...SEEDS, '--count', '2', '--languages', 'fr', '--out', '/tmp/never.pdf'],
    /no coupon text in French \(fr\), only in English \(en\), Spanish \(es\)/,
  ],
  ['generate-coupons', [...SEEDS, '--list', '--count', '2'], /only one of --count/],
])(
  'invalid arguments exit with 2 and one line: %s %j',
  async (name, args, line) => {
    const { code, err } = await command(name, args);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(err).toMatch(line);
  },
  SLOW,
);

test(
  'an unknown site is rejected, and a dry run creates nothing',
  async () => {
    const args = ['--count', '2', '--out', folder.path('dry.pdf')];
    expect(await command('generate-seeds', ['--location', 'Nowhere', ...args])).toMatchObject({ code: 1 });
    const dry = await command('generate-seeds', [...SEEDS, ...args, '--dry-run']);
    expect(dry.out).toMatch(/^Would create 2 seeds at Centro .* and print 2 pages \(A4\)/);
    expect(existsSync(folder.path('dry.pdf'))).toBe(false);
    expect(await all('seeds')).toHaveLength(13);
  },
  SLOW,
);

test(
  'sites that do not fit and unprintable letters are reported by the command and the API',
  async () => {
    await world.place('தமி Haus');
    await world.place('Rotunda '.repeat(20).trim());
    const out = folder.path('told.pdf');
    const { err } = await command('generate-seeds', [
      ...SEEDS,
      '--count',
      '1',
      '--layout',
      'labels',
      '--out',
      out,
    ]);
    expect(err).toContain(
      'Warning: These characters in the site name “தமி Haus” can’t be printed and are left out: த மி.',
    );
    expect(err).toMatch(/Warning: (This site doesn’t|These sites don’t) fit: .*“Rotunda Rotunda/);
    const { headers } = await ana.post('/api/seeds/print', { unused: true, layout: 'labels' }).expect(200);
    expect(decodeURIComponent(headers['x-print-notes'] ?? '')).toContain(
      'can’t be printed and are left out: த மி',
    );
    const codes = JSON.parse(decodeURIComponent(headers['x-print-note-codes'] ?? ''));
    expect(codes).toEqual([
      { code: 'LETTERS_OF_SITE', params: { letters: 'த மி', site: 'தமி Haus' } },
      { code: 'NOT_ON_LABELS', params: {} },
      {
        code: expect.stringMatching(/^SITES?_LEFT_OUT$/),
        params: { sites: expect.stringContaining('“Rotunda') },
      },
    ]);
    expect(await decode(out, 'labels')).toHaveLength(1);
  },
  SLOW,
);

test(
  'a study language without a coupon text is rejected unless --languages is given',
  async () => {
    const studies = mongoose.connection.collection('studies');
    await studies.updateOne({}, { $set: { languages: ['en', 'fr'] } });
    const args = [...SEEDS, '--count', '1', '--dry-run', '--out', folder.path('fr.pdf')];
    const { code, err } = await command('generate-seeds', args);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('no coupon text in French (fr)'),
    });
    await answerOf('generate-seeds', [...args, '--languages', 'en']);
    await studies.updateOne({}, { $set: { languages: ['en', 'es'] } });
  },
  SLOW,
);

test(
  'a created folder is reported, one seed is singular, and an unwritable path is named',
  async () => {
    const out = folder.path('new/folder/one.pdf');
    const result = await command('generate-seeds', [...SEEDS, '--count', '1', '--out', out]);
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/^Created 1 seed at /) });
    expect(result.err).toContain(`Created the folder ${folder.path('new')}.`);

    const refused = await command('generate-seeds', [...SEEDS, '--count', '1', '--out', '/proc/one.pdf']);
    expect(refused).toMatchObject({ code: 1, out: '', err: "Can't write to /proc." });
  },
  SLOW,
);
