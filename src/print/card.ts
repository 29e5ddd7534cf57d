/** Many coupons on a sheet: business cards with the study's text, and sticky labels without it. */
import { type Arrange, type Composition, type Size, withSites } from './composition.ts';
import { CODE_CHARACTER, type Faces } from './faces.ts';
import { isRightToLeft, LEAST, type Paragraph, type Part, stack } from './paragraphs.ts';
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

type Small = Pick<Paragraph, 'part' | 'text' | 'direction' | 'align' | 'language'>;

function small({ text }: Measures, content: Small, above: number): Paragraph {
  return { ...content, weight: 400, size: text, least: LEAST, above, shade: BLACK };
}

/** On one line where it can be: there is little room. */
const plain = (part: Part, text: string, align: SheetTexts['align']) =>
  ({ part, text: text.replace(/\s*\n\s*/gu, ' · '), direction: 'auto', align }) as const;

/** The site that gives the coupons on lines of its own, the others one after the other. */
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
  least: LEAST,
  above: 0,
  shade: BLACK,
  even: true,
});

/** The QR at the top right, with its quiet zone. */
function qrOf(size: Size, quiet: number, { padding, qr: ink }: Measures) {
  const side = ink / (1 - 2 * quiet);
  const inset = side * quiet;
  return { inset, qr: { x: size.width - padding - ink - inset, y: padding - inset, side } };
}

/** The column beside the QR: paragraphs from the top, the code at the foot. */
function compose(faces: Faces, paragraphs: Paragraph[], size: Size, quiet: number, measures: Measures) {
  const { padding, qr: ink } = measures;
  const { inset, qr } = qrOf(size, quiet, measures);
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
    ...column,
    rules: [],
    qr,
    code: { x: padding - code * 0.05, baseline: foot, size: code },
  };
}

/** For much text: a smaller QR with the code below it, so that the column beside them has the whole height. */
function composeDense(
  faces: Faces,
  column: Paragraph[],
  below: Paragraph[],
  size: Size,
  quiet: number,
  measures: Measures,
) {
  const { padding, qr: ink } = measures;
  const { inset, qr } = qrOf(size, quiet, measures);
  const code = ink / (9 * CODE_CHARACTER);
  const baseline = padding + ink + Math.max(inset, 4) + code * 0.75;
  const x = size.width - padding - ink;
  const bottom = size.height - padding;
  // Beneath the code as far as there is room, the rest in the column.
  const foot = { x, y: baseline + 3, width: ink, height: bottom - baseline - 1 };
  const fits = (count: number) => stack(faces, below.slice(0, count), foot).cut.length === 0;
  let count = below.length;
  while (!fits(count)) count -= 1;
  const beside = stack(faces, [...column, ...below.slice(count)], {
    x: padding,
    y: padding - 2,
    width: x - Math.max(inset, 8) - padding,
    height: bottom - padding + 4,
  });
  return {
    cut: beside.cut,
    lines: [...beside.lines, ...stack(faces, below.slice(0, count), foot).lines],
    rules: [],
    qr,
    code: { x: x - code * 0.05, baseline, size: code },
  };
}

/** Roomy where all but some sites has room, else dense. */
function roomyOrDense(texts: SheetTexts, roomy: Arrange, dense: Arrange): Composition {
  const composition = withSites(texts, roomy);
  return composition.cut.length === 0 ? composition : withSites(texts, dense);
}

export function card(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  // Two inches are a little less than 54 mm, and below the QR two languages say how long it is good.
  const qr = size.height < 150 ? 68 : 76;
  const roomy: Measures = { padding: 14, qr, name: 11.5, text: 7.5, code: 24 };
  const dense: Measures = { padding: 10, qr: 62, name: 10, text: LEAST, code: 24 };
  const below = belowQr(faces, texts, size, quiet, roomy);
  const fits = below.cut.length === 0;
  const validity = (measures: Measures) =>
    texts.validity.map((text) => small(measures, plain('validity', text, texts.align), 1));
  const paragraphs = (chosen: SheetTexts, measures: Measures, of: Paragraph[]) => [
    heading(measures, chosen),
    ...chosen.texts.map((text) => small(measures, { ...text, part: 'text' }, 3)),
    ...of,
    ...sites(measures, chosen, 3, true),
    ...contacts(measures, chosen, 2),
  ];
  return roomyOrDense(
    texts,
    (chosen) => {
      const all = paragraphs(chosen, roomy, fits ? [] : validity(roomy));
      const column = compose(faces, all, size, quiet, roomy);
      return fits ? { ...column, lines: [...column.lines, ...below.lines] } : column;
    },
    (chosen) => composeDense(faces, paragraphs(chosen, dense, []), validity(dense), size, quiet, dense),
  );
}

function belowQr(faces: Faces, texts: SheetTexts, size: Size, quiet: number, measures: Measures) {
  const { padding, qr } = measures;
  const inset = (qr / (1 - 2 * quiet)) * quiet;
  // A little wider than the QR, into the white around it.
  const wider = 4;
  const top = padding + qr + Math.max(inset - 0.9, 5);
  return stack(
    faces,
    texts.validity.map((text) => ({
      ...small(measures, plain('validity', text, texts.align), 1),
      size: LEAST,
    })),
    {
      x: size.width - padding - qr - wider,
      y: top,
      width: qr + 2 * wider,
      height: size.height - padding + 7 - top,
    },
  );
}

/** The next ones in the same direction go on the same line; words read from the other side have their own. */
function joined(texts: string[]): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && isRightToLeft(last) === isRightToLeft(text))
      lines.splice(-1, 1, `${last} · ${text}`);
    else lines.push(text);
  }
  return lines;
}

export function stickyLabel(faces: Faces, texts: SheetTexts, size: Size, quiet: number): Composition {
  const short = size.height < 80;
  const roomy: Measures = short
    ? { padding: 6, qr: 56, name: 8, text: LEAST, code: 11.5 }
    : { padding: 12, qr: 72, name: 9, text: LEAST, code: 18 };
  const dense: Measures = { padding: 6, qr: 58, name: 8, text: LEAST, code: 11.5 };
  const between = short ? 0 : 2;
  const paragraphs = (chosen: SheetTexts, measures: Measures) => [
    heading(measures, chosen),
    ...joined(chosen.validity).map((text, at) =>
      small(measures, plain('validity', text, chosen.align), at > 0 ? 0 : between),
    ),
    ...sites(measures, chosen, between, false),
    ...contacts(measures, chosen, between / 2),
  ];
  const roomyLabel: Arrange = (chosen) => compose(faces, paragraphs(chosen, roomy), size, quiet, roomy);
  const denseLabel: Arrange = (chosen) =>
    composeDense(faces, paragraphs(chosen, dense), [], size, quiet, dense);
  // The smallest labels have no room for a code below the QR.
  return short ? withSites(texts, roomyLabel) : roomyOrDense(texts, roomyLabel, denseLabel);
}
