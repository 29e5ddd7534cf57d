import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Response } from 'supertest';
import { makeSeed } from '../make.ts';
import type { Person } from '../people.ts';
import { type Cast, NOBODY, refused, refusedAt, seedCode, startCast, submit } from './kit.ts';

let cast: Cast;
let folder: string;
beforeAll(async () => {
  cast = await startCast();
  folder = mkdtempSync(join(tmpdir(), 'field-survey-print-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await cast.world.stop();
});

/** The text of the PDF in the response. */
async function printed(by: Person, path: string, body: object): Promise<string> {
  const answer = await by.post(path, body).buffer(true).parse(bytes);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="\w+\.pdf"$/);
  const file = join(folder, 'printed.pdf');
  writeFileSync(file, answer.body);
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
}

function bytes(answer: Response, callback: (error: Error | null, body: Buffer) => void): void {
  const res = answer as unknown as NodeJS.ReadableStream;
  const parts: Buffer[] = [];
  res.on('data', (part: Buffer) => parts.push(part));
  res.on('end', () => callback(null, Buffer.concat(parts)));
}

const printedCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

test('prints seeds by id, each with its code, for callers who may read them', async () => {
  const seeds = [];
  for (let at = 0; at < 3; at++) seeds.push(await makeSeed(cast.world, cast.admin, { location: cast.site }));
  const [first, second, third] = seeds;
  const request = { seeds: [first.id, third.id], layout: 'page', paper: 'LETTER', languages: ['es'] };
  for (const person of [cast.root, cast.volunteer]) {
    const text = await printed(person, '/api/seeds/print', request);
    expect(text).toContain(printedCode(first.referralCode));
    expect(text).toContain(printedCode(third.referralCode));
    expect(text).not.toContain(printedCode(second.referralCode));
  }
});

test('prints unused seeds of a site, without redeemed ones and those of other sites', async () => {
  const site = await cast.world.place();
  const there = { location: site };
  const free = await makeSeed(cast.world, cast.admin, there);
  const used = await makeSeed(cast.world, cast.admin, there);
  const elsewhere = await seedCode(cast);
  await submit(cast, { referralCode: used.referralCode });
  const text = await printed(cast.admin, '/api/seeds/print', { unused: true, ...there, layout: 'cards' });
  expect(text).toContain(printedCode(free.referralCode));
  expect(text).not.toContain(printedCode(used.referralCode));
  expect(text).not.toContain(printedCode(elsewhere));
});

test('a seed whose code was voided is not printed with the unused ones', async () => {
  const there = { location: await cast.world.place() };
  const [good, lost] = [
    await makeSeed(cast.world, cast.admin, there),
    await makeSeed(cast.world, cast.admin, there),
  ];
  const send = { void: true, reason: 'lost' };
  await cast.admin.patch(`/api/referral-codes/${lost.referralCode}`, send).expect(200);
  const text = await printed(cast.admin, '/api/seeds/print', { unused: true, ...there });
  expect([good, lost].map((one) => text.includes(printedCode(one.referralCode)))).toEqual([true, false]);
});

test('prints the unused codes of a batch, for callers who may create batches', async () => {
  const url = '/api/referral-codes/batches';
  const batchFields = { count: 3, location: cast.site };
  const { id, codes } = (await cast.admin.post(url, batchFields).expect(201)).body;
  await submit(cast, { issuedCodes: [codes[0]] });
  const text = await printed(cast.manager, `${url}/${id}/print`, {});
  expect([0, 1, 2].map((at) => text.includes(printedCode(codes[at])))).toEqual([false, true, true]);
  refused(await cast.volunteer.post(`${url}/${id}/print`, {}), 403);
  await cast.admin.post(`${url}/${id}/void`, { reason: 'lost' }).expect(200);
  refused(await cast.manager.post(`${url}/${id}/print`, {}), 404);
  refused(await cast.manager.post(`${url}/${NOBODY}/print`, {}), 404);
});

test('an invalid print request is 400 as JSON with its field', async () => {
  const { id } = await makeSeed(cast.world, cast.admin, { location: cast.site });
  const send = (body: object) => cast.admin.post('/api/seeds/print', body);
  refusedAt(await send({}), 'seeds');
  refusedAt(await send({ seeds: [id], unused: true }), 'seeds');
  refusedAt(await send({ seeds: [id], location: cast.site }), 'location');
  refusedAt(await send({ unused: true, location: NOBODY }), 'location');
  refusedAt(await send({ seeds: [id], paper: 'A3' }), 'paper');
  for (const language of ['xx', '__proto__', 'constructor'])
    refusedAt(await send({ seeds: [id], languages: [language] }), 'languages');
  refused(await send({ seeds: [NOBODY] }), 404);
  refused(await send({ unused: true, location: await cast.world.place() }), 404);
});
