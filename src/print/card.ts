/** Many coupons on a sheet: business cards with the study's text, and sticky labels without it. */
import { type Composition, type Size, withSites } from './composition.ts';
import { CODE_CHARACTER, type Faces } from './faces.ts';
import { LEAST, type Paragraph, type Part, stack } from './paragraphs.ts';
import type { SheetTexts } from './words.ts';

const BLACK = '#000';

interface Measures {
  /** From the edge to the ink, all around. */
  padding: number;
  /** The ink of the QR, without its quiet zone. */
  qr: number;
  name: number;
  text: number;
  /** The code is not set larger. */
  code: number;
}

type Small = Pick<Paragraph, 'part' | 'text' | 'direction'>;

function small({ text }: Measures, content: Small, above: number): Paragraph {
  return { ...content, weight: 400, size: text, least: LEAST, above, shade: BLACK };
}

/** On one line where it can be: there is little room. */
const plain = (part: Part, text: string) =>
  ({ part, text: text.replace(/\s*\n\s*/gu, ' · '), direction: 'auto' }) as const;

/** The site that gives the coupons on lines of its own, the others one after the other. */
function sites(measures: Measures, texts: SheetTexts, above: number, withAddress: boolean): Paragraph[] {
  const each = texts.sites.map(({ name, address }) =>
    withAddress && address ? `${name}, ${address}` : name,
  );
  const own = texts.issuing ? each.slice(0, 1) : [];
  const others = each.slice(own.length).join(' · ');
  return [
    ...own.map((text) => small(measures, plain('site', text), above)),
    small(measures, plain('sites', others), own.length > 0 ? 0 : above),
  ];
}

const heading = ({ name }: Measures, texts: SheetTexts): Paragraph => ({
  ...texts.name,
  part: 'name',
  weight: 700,
  size: name,
  least: LEAST,
  above: 0,
  shade: BLACK,
  even: true,
});

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
    cut: column.cut,
    rules: [],
    qr: { x: size.width - padding - ink - inset, y: padding - inset, side },
    code: { x: padding - code * 0.05, baseline: foot, size: code },
  };
}

export function card(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  // Two inches are a little less than 54 mm, and below the QR two languages say how long it is good.
  const qr = size.height < 150 ? 68 : 76;
  const measures: Measures = { padding: 14, qr, name: 11.5, text: 7.5, code: 24 };
  const below = belowQr(faces, texts, size, quiet, measures);
  const fits = below.cut.length === 0;
  return withSites(texts, (chosen) => {
    const paragraphs = [
      heading(measures, chosen),
      ...chosen.texts.map((text) => small(measures, { ...text, part: 'text' }, 3)),
      ...(fits ? [] : chosen.validity).map((text) => small(measures, plain('validity', text), 2)),
      ...sites(measures, chosen, 4, true),
      small(measures, plain('contact', chosen.contact), 2),
    ];
    const column = compose(faces, paragraphs, size, quiet, measures);
    return fits ? { ...column, lines: [...column.lines, ...below.lines] } : column;
  });
}

function belowQr(faces: Faces, texts: SheetTexts, size: Size, quiet: number, measures: Measures) {
  const { padding, qr } = measures;
  const inset = (qr / (1 - 2 * quiet)) * quiet;
  // A little wider than the QR, into the white around it.
  const wider = 4;
  const top = padding + qr + Math.max(inset - 0.9, 5);
  return stack(
    faces,
    texts.validity.map((text) => ({ ...small(measures, plain('validity', text), 1), size: LEAST })),
    {
      x: size.width - padding - qr - wider,
      y: top,
      width: qr + 2 * wider,
      height: size.height - padding + 7 - top,
    },
  );
}

export function stickyLabel(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  const short = size.height < 80;
  const measures: Measures = short
    ? { padding: 6, qr: 56, name: 8, text: LEAST, code: 11.5 }
    : { padding: 12, qr: 72, name: 9, text: LEAST, code: 18 };
  const between = short ? 0 : 2;
  return withSites(texts, (chosen) => {
    const paragraphs = [
      heading(measures, chosen),
      // One after the other: there is little room.
      small(measures, plain('validity', chosen.validity.join(' · ')), between),
      ...sites(measures, chosen, between, false),
      small(measures, plain('contact', chosen.contact), between / 2),
    ];
    return compose(faces, paragraphs, size, quiet, measures);
  });
}
