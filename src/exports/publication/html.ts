/** Pages of static HTML that are well-formed XML too. They load nothing from elsewhere. */
import { escapeXml } from '../sample/graph.ts';

/** Markup that is written already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | Html | readonly (string | Html)[];

const textOf = (content: Content): string =>
  Array.isArray(content)
    ? content.map((one: string | Html) => textOf(one)).join('')
    : content instanceof Html
      ? content.text
      : escapeXml(content as string);

const EMPTY = new Set(['meta', 'link', 'img', 'br']);

export function htmlElement(
  name: string,
  content: Content = '',
  attributes: Record<string, string | undefined> = {},
): Html {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${escapeXml(value)}"`]))
    .join('');
  return new Html(
    EMPTY.has(name) ? `<${name}${written} />` : `<${name}${written}>${textOf(content)}</${name}>`,
  );
}

export const htmlParagraphs = (text: string): Html[] =>
  text.split(/\n{2,}/).map((one) => htmlElement('p', one));

export const htmlLink = (to: string, text: string): Html => htmlElement('a', text, { href: to });

interface Table {
  caption: string;
  head: readonly string[];
  /** The first cell of each is its heading. */
  rows: readonly (readonly string[])[];
}

/** Wide tables scroll by themselves, also with the keyboard. */
export function dataTable({ caption, head, rows }: Table): Html {
  const top = htmlElement('thead', [
    htmlElement(
      'tr',
      head.map((one) => htmlElement('th', one, { scope: 'col' })),
    ),
  ]);
  const body = htmlElement(
    'tbody',
    rows.map(([first = '', ...rest]) =>
      htmlElement('tr', [
        htmlElement('th', first, { scope: 'row' }),
        ...rest.map((one) => htmlElement('td', one)),
      ]),
    ),
  );
  return htmlElement('section', [htmlElement('table', [htmlElement('caption', caption), top, body])], {
    class: 'scroll',
    'aria-label': caption,
    tabindex: '0',
  });
}

export interface Page {
  title: string;
  /** On the front page there is nowhere to go back to. */
  isFront?: boolean;
  content: readonly Html[];
}

export function htmlPage({ title, isFront = false, content }: Page): string {
  const back = isFront
    ? []
    : [htmlElement('nav', [htmlLink('index.html', 'All results')], { 'aria-label': 'Pages' })];
  const head = htmlElement('head', [
    htmlElement('meta', '', { charset: 'utf-8' }),
    htmlElement('meta', '', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    htmlElement('title', title),
    htmlElement('link', '', { rel: 'stylesheet', href: 'style.css' }),
  ]);
  const body = htmlElement('body', [...back, htmlElement('main', [htmlElement('h1', title), ...content])]);
  return `<!DOCTYPE html>\n${htmlElement('html', [head, body], { lang: 'en' }).text}\n`;
}

export const STYLE = `body { margin: 0 auto; max-width: 48rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-top: 2rem; }
a { color: #0b4f9e; }
.first { font-size: 1.15rem; }
img { max-width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; font-weight: 600; padding: 0.25rem 0; }
th, td { border-bottom: 1px solid #c9c9c9; padding: 0.35rem 0.5rem; text-align: end; vertical-align: top; }
th[scope="row"], th:first-child { text-align: start; font-weight: 400; }
thead th { font-weight: 600; }
@media print { nav { display: none; } .scroll { overflow: visible; } }
`;
