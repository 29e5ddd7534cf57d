/**
 * Renders coupons as a PDF stream: one page is in memory at a time, and drawing waits for the reader. The layout is
 * calculated once per issuing site.
 */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { formatCode } from '../referral-codes/code.ts';
import { codeUrl, layoutCoupon, unprintableCharacters } from './check-sheet.ts';
import type { CouponSheet } from './coupon-sheet.ts';
import { CODE_FONT, Fonts } from './layout/fonts.ts';
import type { LaidOutCoupon } from './layout/layout.ts';
import { qrMatrix } from './layout/qr.ts';
import { type CouponGrid, cutMarks, PAPER_SIZES_IN_POINTS, paperGridFor } from './paper.ts';
import { couponSheetTexts } from './sheet-texts.ts';

type Doc = typeof PDFDocument.prototype;

/** Drawing pauses while this much is buffered for a slow reader. */
const MAX_BUFFERED_BYTES = 256_000;
const HAIRLINE = 0.4;

/** Writes the PDF and ends the stream; rejects if the stream fails or the sheet can't be printed as it is. */
export async function renderCoupons(out: Writable, sheet: CouponSheet): Promise<void> {
  if (sheet.codes.length === 0) throw new RangeError('no codes to print');
  const texts = couponSheetTexts(sheet, null);
  const paper = PAPER_SIZES_IN_POINTS[sheet.paper];
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: [paper.width, paper.height],
    margin: 0,
    pdfVersion: '1.7',
    lang: (sheet.languages[0] ?? sheet.study.languages[0] ?? 'en').replaceAll('_', '-'),
    displayTitle: true,
    info: { Title: `${texts.name.text}: ${texts.eyebrow}`, Author: texts.name.text },
  });
  const fonts = new Fonts(doc);
  const missing = unprintableCharacters(sheet, fonts);
  if (missing.length > 0) throw new RangeError(`no typeface for: ${missing.join(' ')}`);

  const grid = paperGridFor(sheet);
  const compositions = new Map<number | null, LaidOutCoupon>();
  const compositionAt = (at: number): LaidOutCoupon => {
    const site = sheet.issuedAt[sheet.issuedAt.length > 1 ? at : 0] ?? null;
    const composition = compositions.get(site) ?? layoutCoupon(fonts, sheet, site);
    compositions.set(site, composition);
    return composition;
  };
  const draw = async () => {
    const perSheet = grid.columns * grid.rows;
    for (let start = 0; start < sheet.codes.length && !doc.destroyed; start += perSheet) {
      const codes = sheet.codes.slice(start, start + perSheet);
      doc.addPage();
      if (grid.cutMarks) drawCutMarks(doc, grid);
      for (const [at, code] of codes.entries())
        drawCoupon(doc, compositionAt(start + at), {
          code,
          address: codeUrl(sheet, code),
          ...corner(grid, at),
        });
      sheet.onProgress?.(start + codes.length);
      await waitForReader(doc);
    }
    doc.end();
  };
  await Promise.all([pipeline(doc, out), draw().catch((error: Error) => doc.destroy(error))]);
}

/** Gives the reader a turn, and waits while too much is buffered. */
async function waitForReader(doc: Doc): Promise<void> {
  await turn();
  while (doc.readableLength > MAX_BUFFERED_BYTES && !doc.destroyed) await wait(5);
}

function corner(grid: CouponGrid, at: number): { x: number; y: number } {
  const column = at % grid.columns;
  return { x: grid.left + column * grid.pitch, y: grid.top + Math.floor(at / grid.columns) * grid.height };
}

function drawCutMarks(doc: Doc, grid: CouponGrid): void {
  for (const { from, to } of cutMarks(grid)) doc.moveTo(...from).lineTo(...to);
  doc.lineWidth(HAIRLINE).stroke('#777');
}

function drawCoupon(
  doc: Doc,
  { lines, rules, qr, code }: LaidOutCoupon,
  coupon: { code: string; address: string; x: number; y: number },
): void {
  for (const rule of rules)
    doc
      .moveTo(coupon.x + rule.x, coupon.y + rule.y)
      .lineTo(coupon.x + rule.x + rule.width, coupon.y + rule.y);
  if (rules.length > 0) doc.lineWidth(HAIRLINE).stroke('#777');

  const write = (font: string, size: number, text: string, x: number, y: number) =>
    doc.font(font).fontSize(size).text(text, x, y, { lineBreak: false, baseline: 'alphabetic' });
  for (const line of lines) {
    doc.fillColor(line.shade);
    let x = coupon.x + line.x;
    for (const piece of line.pieces) {
      write(piece.font, line.size, piece.text, x, coupon.y + line.baseline);
      x += piece.width * line.size;
    }
  }
  doc.fillColor('#000');
  write(CODE_FONT, code.size, formatCode(coupon.code), coupon.x + code.x, coupon.y + code.baseline);

  const { side, bars } = qrMatrix(coupon.address);
  const module = qr.side / side;
  for (const bar of bars)
    doc.rect(coupon.x + qr.x + bar.x * module, coupon.y + qr.y + bar.y * module, bar.width * module, module);
  doc.fill('#000');
}
