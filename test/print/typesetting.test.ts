import PDFDocument from 'pdfkit';
import { layoutCard, layoutCouponLabel } from '../../src/coupons/print/layout/card-layout.ts';
import { Fonts } from '../../src/coupons/print/layout/fonts.ts';
import type { LaidOutCoupon } from '../../src/coupons/print/layout/layout.ts';
import { layoutPage } from '../../src/coupons/print/layout/page-layout.ts';
import { qrMatrix, quietZoneShare } from '../../src/coupons/print/layout/qr.ts';
import { layoutTextColumn, type Paragraph } from '../../src/coupons/print/layout/text-layout.ts';
import { cutMarks, PAPER_SIZES_IN_POINTS, paperGridFor } from '../../src/coupons/print/paper.ts';
import { couponSheetTexts } from '../../src/coupons/print/sheet-texts.ts';
import { makeLongSheet, makeSheet } from './printed.ts';

const faces = () => new Fonts(new PDFDocument({ autoFirstPage: false }));

const paragraph = (text: string, changes: Partial<Paragraph> = {}): Paragraph => ({
  part: 'text',
  text,
  weight: 400,
  direction: 'auto',
  size: 12,
  minSize: 6,
  above: 0,
  shade: '#000',
  ...changes,
});

const piecesOf = (text: string, direction: 'ltr' | 'rtl') =>
  faces()
    .line(text, 400, direction)
    .map((piece) => piece.text);

describe('bidirectional text', () => {
  test('Arabic words are right to left, numbers and Latin words between them left to right', () => {
    expect(piecesOf('شارك في 20 دقيقة', 'rtl')).toEqual(['دقيقة', ' ', '20', ' ', 'في', ' ', 'شارك']);
    expect(piecesOf('في King County لعام', 'rtl')).toEqual(['لعام', ' ', 'King County', ' ', 'في']);
  });

  test('Arabic inside a Latin line keeps its own direction', () => {
    expect(piecesOf('the سكن والصحة study', 'ltr')).toEqual(['the ', 'والصحة', ' ', 'سكن', ' study']);
  });

  test('brackets in Arabic are mirrored', () => {
    expect(piecesOf('سكن (20)', 'rtl')).toEqual(['(', '20', ')', ' ', 'سكن']);
  });

  test('Arabic letters join, and a zero-width non-joiner separates them', () => {
    const width = (text: string) => faces().width(text, 400, 'rtl');
    const apart = Array.from('سكن', width).reduce((sum, one) => sum + one, 0);
    expect(width('سكن')).toBeLessThan(apart * 0.9);
    expect(width('س\u200cك\u200cن')).toBeCloseTo(apart, 2);
  });

  test('a combining mark that the font cannot position does not fail', () => {
    for (const text of ['អំណោយ', '\u0620\u0615', '\u0621\u06d6'])
      expect(faces().width(text, 400, 'ltr')).toBeGreaterThan(0.2);
  });

  test('control characters are not printed', () => {
    expect(faces().width('ab', 400, 'ltr')).toBeCloseTo(faces().width('a\u200e\u200bb', 400, 'ltr'), 3);
  });
});

describe('paragraphs', () => {
  const set = (text: string, width: number, height: number, changes: Partial<Paragraph> = {}) => {
    const typefaces = faces();
    const result = layoutTextColumn(typefaces, [paragraph(text, changes)], { x: 10, y: 10, width, height });
    const lines = result.lines.map((line) => ({
      ...line,
      text: line.pieces.map((piece) => piece.text).join(''),
      end: line.x + line.size * line.pieces.reduce((sum, piece) => sum + piece.width, 0),
    }));
    return { ...result, lines };
  };

  test('a text that fits keeps its size', () => {
    const { lines, cuts: cut } = set('A short line', 200, 20);
    expect(lines.map(({ text, size }) => ({ text, size }))).toEqual([{ text: 'A short line', size: 12 }]);
    expect(cut).toEqual([]);
  });

  test('a text that is too long shrinks before anything is left out', () => {
    const { lines, cuts: cut, height } = set('word '.repeat(40), 200, 60);
    expect(lines[0]?.size).toBeLessThan(12);
    expect(
      lines
        .map(({ text }) => text)
        .join(' ')
        .split(' '),
    ).toHaveLength(40);
    expect(cut).toEqual([]);
    expect(height).toBeLessThanOrEqual(60);
  });

  test('a text that does not fit at the minimum size ends with an ellipsis inside the box', () => {
    const { lines, cuts: cut, height } = set('word '.repeat(400), 200, 60);
    expect(lines.at(-1)?.text).toMatch(/word…$/);
    expect(new Set(lines.map(({ size }) => size))).toEqual(new Set([6]));
    expect(cut).toMatchObject([{ part: 'text', text: expect.stringMatching(/^word( word)*$/) }]);
    expect(height).toBeLessThanOrEqual(60);
    for (const line of lines) expect(line.end).toBeLessThanOrEqual(210);
  });

  test('a word longer than the line shrinks, and breaks only at the minimum size', () => {
    expect(set('extraordinarily', 70, 200).lines).toHaveLength(1);
    const { lines } = set('x'.repeat(100), 70, 200);
    expect(lines.map(({ text }) => text).join('')).toBe('x'.repeat(100));
    for (const line of lines) expect(line.end).toBeLessThanOrEqual(80);
  });

  test('Arabic is right-aligned, even with a Latin first word', () => {
    for (const line of set('HIV دراسة السكن والصحة', 60, 200, { direction: 'rtl' }).lines)
      expect(line.end).toBeCloseTo(70, 5);
    expect(set('دراسة', 100, 20).lines[0]?.end).toBeCloseTo(110, 5);
  });

  test('the lines of a heading are balanced', () => {
    const lines = set('Seattle Unsheltered Count 2026', 165, 60, { even: true }).lines.map(
      ({ text }) => text,
    );
    expect(lines).toEqual(['Seattle Unsheltered', 'Count 2026']);
  });

  test('text without spaces breaks between words, never before punctuation or after an opening bracket', () => {
    const texts = [
      [
        '短いインタビューにご協力ください。秘密は守られ、「ギフトカード」を差し上げます。',
        'インタビュー',
        'ギフト',
      ],
      ['请参加简短的访谈，内容保密，您将获得一张《礼品卡》。', '简短', '礼品'],
      ['เข้าร่วมการสัมภาษณ์สั้นๆ เป็นความลับและคุณจะได้รับบัตรของขวัญ', 'สัมภาษณ์', 'ความลับ'],
      ['ចូលរួមក្នុងការសម្ភាសន៍ខ្លី។ វាជាការសម្ងាត់ហើយអ្នកនឹងទទួលបានកាតអំណោយ', 'សម្ភាសន៍', 'អំណោយ'],
    ] as const;
    for (const [text, ...words] of texts) {
      const { lines, cuts: cut } = set(text, 110, 400);
      expect(cut).toEqual([]);
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) {
        expect(line.size).toBe(12);
        expect(line.end).toBeLessThanOrEqual(120);
        expect(line.text).not.toMatch(/^[。，、」》។ๆー]|[「《]$/u);
      }
      for (const word of words)
        expect([word, lines.some((line) => line.text.includes(word))]).toEqual([word, true]);
      expect(
        lines
          .map((line) => line.text)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''));
    }
  });

  test('digits after an emoji use the text font', () => {
    const pieces = faces().line('☎ 206 🏠2 2\ufe0f\u20e3', 400, 'ltr');
    const fonts = (text: string) =>
      pieces.filter((piece) => piece.text.includes(text)).map(({ font }) => font.includes('emoji'));
    expect([fonts('206'), fonts('🏠'), fonts('\u20e3')]).toEqual([[false], [true], [true]]);
  });

  test('line breaks in the text are kept', () => {
    expect(set('one\n\ntwo\r\nthree', 200, 200).lines.map(({ text }) => text)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });
});

describe('nothing overlaps', () => {
  const overlaps = ({ lines, qr, code }: LaidOutCoupon) => {
    const codeTop = code.baseline - code.size * 0.72;
    const codeEnd = code.x + code.size * 0.6 * 9;
    return lines.filter((line) => {
      const end = line.x + line.size * line.pieces.reduce((sum, piece) => sum + piece.width, 0);
      const [top, bottom] = [line.baseline - line.size * 0.75, line.baseline + line.size * 0.25];
      const across = (from: number, to: number) => line.x < to - 0.1 && end > from + 0.1;
      const onQr = across(qr.x, qr.x + qr.side) && bottom > qr.y && top < qr.y + qr.side;
      const onCode = across(code.x, codeEnd) && bottom > codeTop && top < code.baseline;
      return onQr || onCode;
    });
  };
  const LAYOUTS = { page: layoutPage, cards: layoutCard, labels: layoutCouponLabel };

  test.each(
    (['page', 'cards', 'labels'] as const).flatMap((layout) =>
      (['A4', 'LETTER'] as const).flatMap((paper) => [
        makeSheet({ layout, paper }),
        makeLongSheet({ layout, paper }),
      ]),
    ),
  )('$layout on $paper: $study.name', (sheet) => {
    const quiet = quietZoneShare(`${sheet.publicUrl}/c/00000000`);
    const composition = LAYOUTS[sheet.layout](
      faces(),
      couponSheetTexts(sheet, 0),
      paperGridFor(sheet),
      quiet,
    );
    expect(composition.lines.length).toBeGreaterThan(2);
    expect(overlaps(composition)).toEqual([]);
  });
});

describe('QR', () => {
  const { side, bars } = qrMatrix('https://survey.example.org/c/ABCDEFGC');
  const dark = (x: number, y: number) =>
    bars.some((bar) => bar.y === y && bar.x <= x && x < bar.x + bar.width);

  test('has a quiet zone of four modules', () => {
    for (const bar of bars) {
      expect(Math.min(bar.x, bar.y)).toBeGreaterThanOrEqual(4);
      expect(Math.max(bar.x + bar.width, bar.y + 1)).toBeLessThanOrEqual(side - 4);
    }
  });

  test('has error correction level M', () => {
    expect([dark(4, 12), dark(5, 12)]).toEqual([true, false]);
  });
});

describe('cut marks', () => {
  test.each(['A4', 'LETTER'] as const)('on %s they do not touch the cards and stay on the paper', (paper) => {
    const grid = paperGridFor({ layout: 'cards', paper });
    const right = grid.left + grid.columns * grid.width;
    const bottom = grid.top + grid.rows * grid.height;
    const strokes = cutMarks(grid);
    // Both ends of 3 vertical and 6 horizontal cuts, and a cross of two strokes at 4 inner corners.
    expect(strokes).toHaveLength(2 * (3 + 6) + 2 * 4);
    for (const [x, y] of strokes.flatMap(({ from, to }) => [from, to])) {
      expect(
        x > 0 && x < PAPER_SIZES_IN_POINTS[paper].width && y > 0 && y < PAPER_SIZES_IN_POINTS[paper].height,
      ).toBe(true);
      if (x < grid.left || x > right || y < grid.top || y > bottom) continue;
      const fromCut = (at: number, cut: number) => Math.abs(at / cut - Math.round(at / cut)) * cut;
      expect(Math.max(fromCut(x - grid.left, grid.width), fromCut(y - grid.top, grid.height))).toBeLessThan(
        4,
      );
    }
  });
});
