/** Layouts with many coupons per sheet: business cards with the study's text, and sticky labels without it. */

import type { SheetTexts } from '../sheet-texts.ts';
import { CODE_CHARACTER_WIDTH, type Fonts } from './fonts.ts';
import { type ArrangeCoupon, type LaidOutCoupon, layoutCouponWithSites, type PaperSize } from './layout.ts';
import {
  type CouponTextKind,
  isRightToLeftText,
  layoutTextColumn,
  MIN_FONT_SIZE,
  type Paragraph,
} from './text-layout.ts';

const BLACK = '#000';

interface Measures {
  /** On all sides. */
  padding: number;
  /** The size of the QR code without its quiet zone. */
  qr: number;
  name: number;
  text: number;
  /** The maximum font size of the code. */
  code: number;
}

type Small = Pick<Paragraph, 'part' | 'text' | 'direction' | 'align' | 'language'>;

function small({ text }: Measures, content: Small, above: number): Paragraph {
  return { ...content, weight: 400, size: text, minSize: MIN_FONT_SIZE, above, shade: BLACK };
}

/** Joins lines, because there is little room. */
const plain = (part: CouponTextKind, text: string, align: SheetTexts['align']) =>
  ({ part, text: text.replace(/\s*\n\s*/gu, ' · '), direction: 'auto', align }) as const;

/** The issuing site on lines of its own, the others in one paragraph. */
function sites(measures: Measures, texts: SheetTexts, above: number, withAddress: boolean): Paragraph[] {
  const { align } = texts;
  const each = texts.sites.map(({ name, address }) =>
    withAddress && address ? `${name}, ${address}` : name,
  );
  const own = texts.issuing ? each.slice(0, 1) : [];
  const others = each.slice(own.length).join(' · ');
  return [
    ...own.map((text) => small(measures, plain('site', text, align), above)),
    small(measures, plain('sites', others, align), own.length > 0 ? 0 : above),
  ];
}

const contacts = (measures: Measures, { contacts: each, align }: SheetTexts, above: number) =>
  each.map(({ text }, at) => small(measures, plain('contact', text, align), at > 0 ? 0 : above));

const heading = ({ name }: Measures, texts: SheetTexts): Paragraph => ({
  ...texts.name,
  part: 'name',
  weight: 700,
  align: texts.align,
  size: name,
  minSize: MIN_FONT_SIZE,
  above: 0,
  shade: BLACK,
  even: true,
});

/** The QR code at the top right, with its quiet zone. */
function qrOf(size: PaperSize, quietZone: number, { padding, qr: ink }: Measures) {
  const side = ink / (1 - 2 * quietZone);
  const inset = side * quietZone;
  return { inset, qr: { x: size.width - padding - ink - inset, y: padding - inset, side } };
}

/** Paragraphs in a column beside the QR code, with the code at the bottom. */
function compose(
  fonts: Fonts,
  paragraphs: Paragraph[],
  size: PaperSize,
  quietZone: number,
  measures: Measures,
) {
  const { padding, qr: ink } = measures;
  const { inset, qr } = qrOf(size, quietZone, measures);
  const width = size.width - 2 * padding - ink - Math.max(inset, 8);
  const code = Math.min(measures.code, width / (9 * CODE_CHARACTER_WIDTH));
  const foot = size.height - padding;
  const column = layoutTextColumn(fonts, paragraphs, {
    x: padding,
    y: padding - 2,
    width,
    height: foot - code * 0.95 - (padding - 2),
  });
  return {
    ...column,
    rules: [],
    qr,
    code: { x: padding - code * 0.05, baseline: foot, size: code },
  };
}

/** For much text: a smaller QR code with the code below it, so that the text column has the full height. */
function composeDense(
  fonts: Fonts,
  column: Paragraph[],
  below: Paragraph[],
  size: PaperSize,
  quietZone: number,
  measures: Measures,
) {
  const { padding, qr: ink } = measures;
  const { inset, qr } = qrOf(size, quietZone, measures);
  const code = ink / (9 * CODE_CHARACTER_WIDTH);
  const baseline = padding + ink + Math.max(inset, 4) + code * 0.75;
  const x = size.width - padding - ink;
  const bottom = size.height - padding;
  // As much as fits goes below the code, the rest into the column.
  const foot = { x, y: baseline + 3, width: ink, height: bottom - baseline - 1 };
  const fits = (count: number) => layoutTextColumn(fonts, below.slice(0, count), foot).cuts.length === 0;
  let count = below.length;
  while (!fits(count)) count -= 1;
  const besideQr = layoutTextColumn(fonts, [...column, ...below.slice(count)], {
    x: padding,
    y: padding - 2,
    width: x - Math.max(inset, 8) - padding,
    height: bottom - padding + 4,
  });
  return {
    cuts: besideQr.cuts,
    lines: [...besideQr.lines, ...layoutTextColumn(fonts, below.slice(0, count), foot).lines],
    rules: [],
    qr,
    code: { x: x - code * 0.05, baseline, size: code },
  };
}

/** The roomy layout if everything but some sites fits, otherwise the dense one. */
function chooseLayout(texts: SheetTexts, roomy: ArrangeCoupon, dense: ArrangeCoupon): LaidOutCoupon {
  const composition = layoutCouponWithSites(texts, roomy);
  return composition.cuts.length === 0 ? composition : layoutCouponWithSites(texts, dense);
}

export function layoutCard(
  fonts: Fonts,
  texts: SheetTexts,
  size: PaperSize,
  quietZone: number,
): LaidOutCoupon {
  // Two-inch cards are a little shorter than 54 mm, and the validity below the QR code may need two languages.
  const qr = size.height < 150 ? 68 : 76;
  const roomy: Measures = { padding: 14, qr, name: 11.5, text: 7.5, code: 24 };
  const dense: Measures = { padding: 10, qr: 62, name: 10, text: MIN_FONT_SIZE, code: 24 };
  const below = layoutBelowQr(fonts, texts, size, quietZone, roomy);
  const fits = below.cuts.length === 0;
  const validity = (measures: Measures) =>
    texts.validity.map((text) => small(measures, plain('validity', text, texts.align), 1));
  const paragraphs = (variant: SheetTexts, measures: Measures, of: Paragraph[]) => [
    heading(measures, variant),
    ...variant.texts.map((text) => small(measures, { ...text, part: 'text' }, 3)),
    ...of,
    ...sites(measures, variant, 3, true),
    ...contacts(measures, variant, 2),
  ];
  return chooseLayout(
    texts,
    (variant) => {
      const all = paragraphs(variant, roomy, fits ? [] : validity(roomy));
      const column = compose(fonts, all, size, quietZone, roomy);
      return fits ? { ...column, lines: [...column.lines, ...below.lines] } : column;
    },
    (variant) => composeDense(fonts, paragraphs(variant, dense, []), validity(dense), size, quietZone, dense),
  );
}

function layoutBelowQr(
  fonts: Fonts,
  texts: SheetTexts,
  size: PaperSize,
  quietZone: number,
  measures: Measures,
) {
  const { padding, qr } = measures;
  const inset = (qr / (1 - 2 * quietZone)) * quietZone;
  // A little wider than the QR code, into its quiet zone.
  const wider = 4;
  const top = padding + qr + Math.max(inset - 0.9, 5);
  return layoutTextColumn(
    fonts,
    texts.validity.map((text) => ({
      ...small(measures, plain('validity', text, texts.align), 1),
      size: MIN_FONT_SIZE,
    })),
    {
      x: size.width - padding - qr - wider,
      y: top,
      width: qr + 2 * wider,
      height: size.height - padding + 7 - top,
    },
  );
}

/** Joins neighboring texts of the same direction on one line. */
function joinParagraphs(texts: string[]): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && isRightToLeftText(last) === isRightToLeftText(text))
      lines.splice(-1, 1, `${last} · ${text}`);
    else lines.push(text);
  }
  return lines;
}

export function layoutCouponLabel(
  fonts: Fonts,
  texts: SheetTexts,
  size: PaperSize,
  quietZone: number,
): LaidOutCoupon {
  const short = size.height < 80;
  const roomy: Measures = short
    ? { padding: 6, qr: 56, name: 8, text: MIN_FONT_SIZE, code: 11.5 }
    : { padding: 12, qr: 72, name: 9, text: MIN_FONT_SIZE, code: 18 };
  const dense: Measures = { padding: 6, qr: 58, name: 8, text: MIN_FONT_SIZE, code: 11.5 };
  const between = short ? 0 : 2;
  const paragraphs = (variant: SheetTexts, measures: Measures) => [
    heading(measures, variant),
    ...joinParagraphs(variant.validity).map((text, at) =>
      small(measures, plain('validity', text, variant.align), at > 0 ? 0 : between),
    ),
    ...sites(measures, variant, between, false),
    ...contacts(measures, variant, between / 2),
  ];
  const roomyLabel: ArrangeCoupon = (variant) =>
    compose(fonts, paragraphs(variant, roomy), size, quietZone, roomy);
  const denseLabel: ArrangeCoupon = (variant) =>
    composeDense(fonts, paragraphs(variant, dense), [], size, quietZone, dense);
  // The smallest labels have no room below the QR code.
  return short ? layoutCouponWithSites(texts, roomyLabel) : chooseLayout(texts, roomyLabel, denseLabel);
}
