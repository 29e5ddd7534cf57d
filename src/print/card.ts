/** Many coupons on a sheet: business cards with the study's text, and sticky labels without it. */
import type { Composition, Size } from './composition.ts';
import { CODE_CHARACTER, type Faces } from './faces.ts';
import { type Paragraph, stack } from './paragraphs.ts';
import type { SheetTexts } from './words.ts';

const BLACK = '#000';

interface Measures {
  /** From the edge to the ink, all around. */
  padding: number;
  /** The ink of the QR, without its quiet zone. */
  qr: number;
  name: number;
  text: number;
  least: number;
  /** The code is not set larger. */
  code: number;
}

const sitesOf = (texts: SheetTexts) =>
  texts.sites.map(({ name, address }) => (address ? `${name}, ${address}` : name)).join(' · ');

function small({ text, least }: Measures, content: SheetTexts['name'], above: number): Paragraph {
  return { ...content, weight: 400, size: text, least, above, shade: BLACK };
}

/** On one line where it can be: there is little room. */
const plain = (text: string) => ({ text: text.replace(/\s*\n\s*/gu, ' · '), direction: 'auto' }) as const;

/** The column beside the QR: paragraphs from the top, the code at the foot. */
function compose(faces: Faces, paragraphs: Paragraph[], size: Size, quiet: number, measures: Measures) {
  const { padding, qr: ink } = measures;
  const side = ink / (1 - 2 * quiet);
  const inset = side * quiet;
  const width = size.width - 2 * padding - ink - Math.max(inset, 8);
  const code = Math.min(measures.code, width / (9 * CODE_CHARACTER));
  const foot = size.height - padding;
  const column = stack(faces, paragraphs, {
    x: padding,
    y: padding - 2,
    width,
    height: foot - code * 0.95 - (padding - 2),
  });
  return {
    lines: column.lines,
    rules: [],
    qr: { x: size.width - padding - ink - inset, y: padding - inset, side },
    code: { x: padding - code * 0.05, baseline: foot, size: code },
  };
}

export function card(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  // Two inches are a little less than 54 mm, and below the QR two languages say how long it is good.
  const qr = size.height < 150 ? 74 : 80;
  const measures: Measures = { padding: 14, qr, name: 11.5, text: 7.5, least: 5, code: 24 };
  const composition = compose(
    faces,
    [
      { ...texts.name, weight: 700, size: measures.name, least: 7, above: 0, shade: BLACK, even: true },
      ...texts.texts.map((text) => small(measures, text, 3)),
      small(measures, plain(sitesOf(texts)), 4),
      small(measures, plain(texts.contact), 2),
    ],
    size,
    quiet,
    measures,
  );
  const top = measures.padding + measures.qr + composition.qr.side * quiet;
  const below = stack(
    faces,
    texts.validity.map((text) => ({ ...small(measures, plain(text), 1), size: 5.8 })),
    {
      x: size.width - measures.padding - measures.qr,
      y: top,
      width: measures.qr,
      height: size.height - measures.padding + 3 - top,
    },
  );
  return { ...composition, lines: [...composition.lines, ...below.lines] };
}

export function stickyLabel(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  const short = size.height < 80;
  const measures: Measures = short
    ? { padding: 8, qr: 56, name: 8, text: 6, least: 4.75, code: 18 }
    : { padding: 15, qr: 72, name: 9, text: 6.5, least: 5, code: 18 };
  return compose(
    faces,
    [
      { ...texts.name, weight: 700, size: measures.name, least: 5.5, above: 0, shade: BLACK, even: true },
      ...texts.validity.map((text, at) => small(measures, plain(text), at === 0 ? 2 : 0)),
      small(measures, plain(texts.sites.map(({ name }) => name).join(' · ')), 2),
      small(measures, plain(texts.contact), 1),
    ],
    size,
    quiet,
    measures,
  );
}
