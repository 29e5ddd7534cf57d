/** The layout with one coupon per page, as a handout or a poster. */

import type { SheetTexts } from '../sheet-texts.ts';
import { CODE_CHARACTER_WIDTH, type Fonts } from './fonts.ts';
import { type LaidOutCoupon, layoutCouponWithSites, type PaperSize } from './layout.ts';
import {
  type CouponTextKind,
  layoutTextColumn,
  MIN_FONT_SIZE,
  type Paragraph,
  type TextBlock,
} from './text-layout.ts';

const MARGIN = 58;
const GUTTER = 26;
const FOOT = 150;
const BLACK = '#000';
const GRAY = '#555';

const label = (text: string, align: SheetTexts['align'], size = 11): Paragraph => ({
  align,
  part: 'words',
  text,
  weight: 400,
  direction: 'auto',
  size,
  minSize: MIN_FONT_SIZE,
  above: 0,
  shade: GRAY,
});

function body(
  part: CouponTextKind,
  text: string,
  align: SheetTexts['align'],
  above: number,
  weight: 400 | 700 = 400,
): Paragraph {
  return {
    part,
    text,
    align,
    weight,
    direction: 'auto',
    size: 11.5,
    minSize: MIN_FONT_SIZE,
    above,
    shade: BLACK,
  };
}

/**
 * `quiet` is the quiet zone's share of the QR code's side; the modules, not the quiet zone, are aligned with the
 * margin.
 */
export function layoutPage(
  fonts: Fonts,
  texts: SheetTexts,
  size: PaperSize,
  quietZone: number,
): LaidOutCoupon {
  // If there is much text, the name and the QR code get smaller before text is cut.
  return layoutCouponWithSites(texts, (variant) => {
    const roomy = arrange(fonts, variant, size, quietZone, 1);
    const tight = roomy.cuts.some(({ part }) => part === 'text' || part === 'name');
    return tight ? arrange(fonts, variant, size, quietZone, 0.7) : roomy;
  });
}

function arrange(
  fonts: Fonts,
  texts: SheetTexts,
  { width, height }: PaperSize,
  quietZone: number,
  scale: number,
) {
  const across = width - 2 * MARGIN;
  const name = {
    ...texts.name,
    part: 'name',
    align: texts.align,
    weight: 700,
    minSize: 10,
    above: 8,
    shade: BLACK,
    even: true,
  } as const;
  const head = layoutTextColumn(fonts, [label(texts.eyebrow, texts.align), { ...name, size: 36 * scale }], {
    x: MARGIN,
    y: MARGIN - 6,
    width: across,
    height: 160 * scale,
  });
  const foot = footer(fonts, texts, across, height - MARGIN);
  const panel = codePanel(fonts, texts, across, { bottom: foot.top, qr: 180 * scale, quietZone });
  const ruleBelowHead = MARGIN - 6 + head.height + 20 * scale;
  const top = ruleBelowHead + 20 * scale;
  const main = layoutTextColumn(
    fonts,
    texts.texts.map((text) => ({
      ...text,
      part: 'text',
      weight: 400,
      size: 17,
      minSize: MIN_FONT_SIZE,
      above: 12,
      shade: BLACK,
    })),
    { x: MARGIN, y: top, width: across, height: panel.top - 24 * scale - top },
  );
  const stacks = [head, main, ...panel.parts, ...foot.columns];
  return {
    cuts: stacks.flatMap((one) => one.cuts),
    lines: stacks.flatMap((one) => one.lines),
    rules: [ruleBelowHead, ...foot.rules].map((y) => ({ x: MARGIN, y, width: across })),
    qr: panel.qr,
    code: panel.code,
  };
}

/** Sites and contact side by side, aligned with the bottom margin. */
function footer(fonts: Fonts, texts: SheetTexts, across: number, bottom: number) {
  const { align } = texts;
  const sites = texts.sites.flatMap((site, at) => {
    const part = at === 0 && texts.issuing ? 'site' : 'sites';
    return [body(part, site.name, align, 7, 700), body(part, site.address, align, 0)];
  });
  const contents = [
    { title: texts.whereLabel, paragraphs: sites },
    {
      title: texts.questionsLabel,
      paragraphs: texts.contacts.map(({ text }) => body('contact', text, align, 7)),
    },
  ].filter(({ paragraphs }) => paragraphs.some(({ text }) => text !== ''));
  if (contents.length === 0) return { columns: [], rules: [], top: bottom };
  const width = (across - GUTTER) / 2;
  const at = (y: number): TextBlock[] =>
    contents.flatMap(({ title, paragraphs }, column) => {
      const x = MARGIN + column * (width + GUTTER);
      return [
        layoutTextColumn(fonts, [label(title, align, 10)], { x, y, width, height: 14 }),
        layoutTextColumn(fonts, paragraphs, { x, y: y + 20, width, height: FOOT }),
      ];
    });
  const y = bottom - 20 - Math.max(...at(0).map((column) => column.height));
  return { columns: at(y), rules: [y - 18], top: y - 18 - 22 };
}

/** The QR code at the left; beside it the code, as large as possible, and its validity. */
function codePanel(
  fonts: Fonts,
  texts: SheetTexts,
  across: number,
  at: { bottom: number; qr: number; quietZone: number },
) {
  const side = at.qr / (1 - 2 * at.quietZone);
  const inset = side * at.quietZone;
  const top = at.bottom - at.qr;
  const x = MARGIN + at.qr + Math.max(inset, 30);
  const width = MARGIN + across - x;
  const size = Math.min(60, width / (9 * CODE_CHARACTER_WIDTH));
  const half = size * 0.35;
  // Moves the code up if there is much text below it.
  const middle = top + (texts.validity.length > 2 ? Math.max(half + 26, at.qr * 0.3) : at.qr / 2);
  const heading = layoutTextColumn(fonts, [label(texts.codeLabel, texts.align)], {
    x,
    y: middle - half - 26,
    width,
    height: 18,
  });
  const y = middle + half + 12;
  const validity = layoutTextColumn(
    fonts,
    texts.validity.map((text) => ({ ...body('validity', text, texts.align, 2), size: 12 })),
    { x, y, width, height: at.bottom - y },
  );
  return {
    top,
    parts: [heading, validity],
    qr: { x: MARGIN - inset, y: top - inset, side },
    code: { x, baseline: middle + half, size },
  };
}
