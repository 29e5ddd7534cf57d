/** One coupon on a sheet of its own: a hand-out that can be read at arm's length, or pinned to a wall. */
import type { Composition, Size } from './composition.ts';
import { CODE_CHARACTER, type Faces } from './faces.ts';
import { type Paragraph, type Stack, stack } from './paragraphs.ts';
import type { SheetTexts } from './words.ts';

const MARGIN = 58;
const GUTTER = 26;
const FOOT = 150;
const BLACK = '#000';
const GREY = '#555';

const label = (text: string, size = 11): Paragraph => ({
  text,
  weight: 400,
  direction: 'auto',
  size,
  least: 7,
  above: 0,
  shade: GREY,
});

function body(text: string, above: number, weight: 400 | 700 = 400): Paragraph {
  return { text, weight, direction: 'auto', size: 11.5, least: 7.5, above, shade: BLACK };
}

/** `quiet` is the share of the QR's side that is quiet zone: the modules, not the zone, stand on the margin. */
export function poster(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  // Much text takes room from the name and the QR before any of it is left out.
  const roomy = arrange(faces, texts, size, quiet, 1);
  return roomy.clipped ? arrange(faces, texts, size, quiet, 0.7) : roomy;
}

function arrange(faces: Faces, texts: SheetTexts, { width, height }: Size, quiet: number, scale: number) {
  const across = width - 2 * MARGIN;
  const name = { ...texts.name, weight: 700, least: 14, above: 8, shade: BLACK, even: true } as const;
  const head = stack(faces, [label(texts.eyebrow), { ...name, size: 36 * scale }], {
    x: MARGIN,
    y: MARGIN - 6,
    width: across,
    height: 160 * scale,
  });
  const foot = footer(faces, texts, across, height - MARGIN);
  const panel = codePanel(faces, texts, across, { bottom: foot.top, qr: 180 * scale, quiet });
  const ruleBelowHead = MARGIN - 6 + head.height + 20 * scale;
  const top = ruleBelowHead + 20 * scale;
  const main = stack(
    faces,
    texts.texts.map((text) => ({ ...text, weight: 400, size: 17, least: 8, above: 12, shade: BLACK })),
    { x: MARGIN, y: top, width: across, height: panel.top - 24 * scale - top },
  );
  return {
    clipped: main.clipped,
    lines: [head, main, ...panel.parts, ...foot.columns].flatMap((part) => part.lines),
    rules: [ruleBelowHead, ...foot.rules].map((y) => ({ x: MARGIN, y, width: across })),
    qr: panel.qr,
    code: panel.code,
  };
}

/** The sites and the contact, side by side, standing on the bottom margin. */
function footer(faces: Faces, texts: SheetTexts, across: number, bottom: number) {
  const sites = texts.sites.flatMap((site) => [body(site.name, 7, 700), body(site.address, 0)]);
  const contents = [
    { title: texts.whereLabel, paragraphs: sites },
    { title: texts.questionsLabel, paragraphs: [body(texts.contact, 0)] },
  ].filter(({ paragraphs }) => paragraphs.some(({ text }) => text !== ''));
  if (contents.length === 0) return { columns: [], rules: [], top: bottom };
  const width = (across - GUTTER) / 2;
  const at = (y: number): Stack[] =>
    contents.flatMap(({ title, paragraphs }, column) => {
      const x = MARGIN + column * (width + GUTTER);
      return [
        stack(faces, [label(title, 10)], { x, y, width, height: 14 }),
        stack(faces, paragraphs, { x, y: y + 20, width, height: FOOT }),
      ];
    });
  const y = bottom - 20 - Math.max(...at(0).map((column) => column.height));
  return { columns: at(y), rules: [y - 18], top: y - 18 - 22 };
}

/** The QR on the left margin; beside it the code, as large as the width allows, and until when it is good. */
function codePanel(
  faces: Faces,
  texts: SheetTexts,
  across: number,
  at: { bottom: number; qr: number; quiet: number },
) {
  const side = at.qr / (1 - 2 * at.quiet);
  const inset = side * at.quiet;
  const top = at.bottom - at.qr;
  const x = MARGIN + at.qr + Math.max(inset, 30);
  const width = MARGIN + across - x;
  const size = Math.min(60, width / (9 * CODE_CHARACTER));
  const half = size * 0.35;
  // Much below the code moves it up.
  const middle = top + (texts.validity.length > 2 ? Math.max(half + 26, at.qr * 0.3) : at.qr / 2);
  const heading = stack(faces, [label(texts.codeLabel)], { x, y: middle - half - 26, width, height: 18 });
  const y = middle + half + 12;
  const validity = stack(
    faces,
    texts.validity.map((text) => ({ ...body(text, 2), size: 12 })),
    { x, y, width, height: at.bottom - y },
  );
  return {
    top,
    parts: [heading, validity],
    qr: { x: MARGIN - inset, y: top - inset, side },
    code: { x, baseline: middle + half, size },
  };
}
