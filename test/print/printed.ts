/** Printed sheets as people use them: saved as a file, rendered to images, scanned like a phone does. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { CouponSheet } from '../../src/coupons/print/coupon-sheet.ts';
import { type CouponGrid, paperGridFor } from '../../src/coupons/print/paper.ts';
import { renderCoupons } from '../../src/coupons/print/render-coupons.ts';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';

const execute = promisify(execFile);
const run = async (command: string, ...args: string[]) =>
  (await execute(command, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;

export const makeCodes = (count: number) =>
  Array.from({ length: count }, () => generateCode((n) => randomBytes(n)));

export function makeSheet(changes: Partial<CouponSheet> = {}): CouponSheet {
  return {
    kind: 'coupon',
    codes: makeCodes(3),
    study: {
      name: 'Seattle Unsheltered Count 2026',
      contact: 'Call or text 206 555 0142\ncount@example.org',
      couponText: {
        en: 'Take part in a short interview. It is private, and you receive a gift card.',
        es: 'Participe en una breve entrevista. Es confidencial y recibirá una tarjeta de regalo.',
        ar: 'شارك في مقابلة قصيرة (20 دقيقة) حول السكن والصحة.',
      },
      languages: ['en', 'es'],
      dueFrom: '2026-11-23',
      dueTo: '2026-12-18',
    },
    sites: [
      { name: 'Downtown shelter', address: '517 3rd Ave' },
      { name: 'Clínica Beacon Hill', address: null },
    ],
    issuedAt: [0],
    expiresOn: '2027-01-31',
    languages: [],
    layout: 'page',
    paper: 'A4',
    publicUrl: 'https://survey.example.org/',
    ...changes,
  };
}

/** All texts far longer than expected, left to right and right to left. */
export function makeLongSheet(changes: Partial<CouponSheet> = {}): CouponSheet {
  const sheet = makeSheet({ languages: ['ar', 'en', 'es'], ...changes });
  const { en = '', es = '', ar = '' } = sheet.study.couponText;
  return {
    ...sheet,
    study: {
      ...sheet.study,
      name: `${'Encuesta comunitaria de vivienda y salud de la región – دراسة السكن والصحة '.repeat(2)}2026`,
      contact: `${'Llame al 206 555 0142 de lunes a viernes. '.repeat(6)}${'x'.repeat(120)}@example.org`,
      couponText: { en: `${en} `.repeat(12), es: `${es} `.repeat(12), ar: `${ar} `.repeat(12) },
    },
    sites: Array.from({ length: 40 }, (_, at) => ({
      name: `Centro comunitario número ${at} de Nuestra Señora de los Ángeles`,
      address: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft 12',
    })),
    publicUrl: 'https://respondent-driven-sampling.field.some-long-department.example.org/study',
  };
}

/** Each runs a program that reads the file. */
export interface Printed {
  pages(): Promise<number>;
  text(): Promise<string>;
  /** Each font of the file: its name and whether it is embedded. */
  fonts(): Promise<{ name: string; embedded: boolean }[]>;
  /** The QR codes of the coupons, scanned one by one. */
  decode(): Promise<string[]>;
  words(): Promise<Word[]>;
  /** All words separated by spaces, regardless of lines. */
  said(): Promise<string>;
}

interface Word {
  text: string;
  page: number;
  xMin: number;
  xMax: number;
  yMin: number;
  yMax: number;
}

let folder = '';
export async function openFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'print-'));
}
export async function removeFolder(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

let files = 0;
export async function print(sheet: CouponSheet): Promise<Printed> {
  const name = `${++files}`;
  const file = join(folder, `${name}.pdf`);
  await renderCoupons(createWriteStream(file), sheet);
  const words = async () => wordsIn((await run('pdftotext', '-bbox', file, '-')).normalize('NFKC'));
  const fontLines = async () => (await run('pdffonts', file)).split('\n').slice(2).filter(Boolean);
  return {
    pages: async () => Number(/^Pages:\s+(\d+)$/m.exec(await run('pdfinfo', file))?.[1]),
    text: async () => (await run('pdftotext', '-layout', file, '-')).normalize('NFKC'),
    fonts: async () =>
      (await fontLines()).map((line) => ({
        name: line.slice(0, 36).trim(),
        embedded: /\s(yes|no)\s+(yes|no)\s+(yes|no)\s/.exec(line)?.[1] === 'yes',
      })),
    decode: () => readCoupons(file, sheet),
    words,
    said: async () => (await words()).map((word) => word.text).join(' '),
  };
}

const DPI = 150;
/** Pixels darker than this are printed in black. */
const BLACK = 64;

/**
 * Scans the codes of the sheets one by one: in a picture with many codes, a reader sometimes combines corners of
 * different codes and misses both.
 */
export async function readCoupons(
  pdf: string,
  sheet: Pick<CouponSheet, 'layout' | 'paper'>,
): Promise<string[]> {
  const [place, name] = [dirname(pdf), basename(pdf, '.pdf')];
  await run('pdftoppm', '-r', String(DPI), '-gray', pdf, join(place, name));
  const pictures = (await readdir(place)).filter((one) => one.startsWith(`${name}-`) && one.endsWith('.pgm'));
  const cut = await Promise.all(pictures.sort().map((one) => cutUp(join(place, one), paperGridFor(sheet))));
  // It fails if it can't read one, but still reports the others.
  const read = execute('zbarimg', ['--quiet', '--raw', ...cut.flat()]);
  const { stdout } = await read.catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter(Boolean);
}

/** Cuts an image of a sheet (PGM: a header line, then a byte per pixel) into one for each coupon. */
async function cutUp(picture: string, grid: CouponGrid): Promise<string[]> {
  const bytes = await readFile(picture);
  const [head = '', wide] = /^P5\s+(\d+)\s+\d+\s+255\s/.exec(bytes.toString('latin1', 0, 40)) ?? [];
  const dots = (points: number) => Math.round((points * DPI) / 72);
  const cells = Array.from({ length: grid.rows * grid.columns }, (_, at) => at);
  const cut = await Promise.all(
    cells.map(async (at) => {
      const left = dots(grid.left + (at % grid.columns) * grid.pitch);
      const top = dots(grid.top + Math.floor(at / grid.columns) * grid.height);
      const [width, height] = [dots(grid.width), dots(grid.height)];
      const rows = Array.from({ length: height }, (_, row) => {
        const start = head.length + (top + row) * Number(wide) + left;
        return bytes.subarray(start, start + width);
      });
      // A slot without a coupon: cut marks are grey.
      if (!rows.some((row, nth) => nth % 4 === 0 && row.some((dot) => dot < BLACK))) return [];
      const file = `${picture}-${at}.cut`;
      await writeFile(file, Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), ...rows]));
      return [file];
    }),
  );
  return cut.flat();
}

function wordsIn(html: string): Word[] {
  return html.split('<page ').flatMap((part, page) =>
    Array.from(
      part.matchAll(/<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)<\/word>/g),
      ([, xMin, yMin, xMax, yMax, text = '']) => {
        return { text, page, xMin: Number(xMin), xMax: Number(xMax), yMin: Number(yMin), yMax: Number(yMax) };
      },
    ),
  );
}
