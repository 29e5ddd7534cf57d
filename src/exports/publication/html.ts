/** Static HTML pages that are also well-formed XML. They load nothing from elsewhere. */
import { escapeXml } from '../sample/graph.ts';
import { contactLink, longDay, type PublicationHead, publicationTitleOf } from './facts.ts';

/** Finished markup, not to be escaped. */
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

export function renderHtmlElement(
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
  text.split(/\n{2,}/).map((one) => renderHtmlElement('p', one));

export const htmlLink = (to: string, text: string): Html => renderHtmlElement('a', text, { href: to });

interface Table {
  caption: string;
  head: readonly string[];
  /** The first cell of each row is its heading. */
  rows: readonly (readonly string[])[];
}

/** Wide tables scroll on their own, including by keyboard. */
export function htmlTable({ caption, head, rows }: Table): Html {
  const top = renderHtmlElement('thead', [
    renderHtmlElement(
      'tr',
      head.map((one) => renderHtmlElement('th', one, { scope: 'col' })),
    ),
  ]);
  const body = renderHtmlElement(
    'tbody',
    rows.map(([first = '', ...rest]) =>
      renderHtmlElement('tr', [
        renderHtmlElement('th', first, { scope: 'row' }),
        ...rest.map((one) => renderHtmlElement('td', one)),
      ]),
    ),
  );
  return renderHtmlElement(
    'section',
    [renderHtmlElement('table', [renderHtmlElement('caption', caption), top, body])],
    {
      class: 'scroll',
      'aria-label': caption,
      tabindex: '0',
    },
  );
}

/** A list of names with their descriptions. */
export const htmlDefinitionList = (
  entries: readonly (readonly [string, readonly (string | Html)[]])[],
  className?: string,
): Html =>
  renderHtmlElement(
    'dl',
    entries.flatMap(([term, text]) => [renderHtmlElement('dt', term), renderHtmlElement('dd', text)]),
    { class: className },
  );

export interface PublicationPage {
  title: string;
  head: PublicationHead;
  /** The front page has no link back. */
  isFront?: boolean;
  content: readonly Html[];
}

/** Pages are found and quoted individually, so each says who published it. */
function footer(head: PublicationHead): Html {
  const { organization, contact, asOf } = head;
  return renderHtmlElement('footer', [
    `${publicationTitleOf(head)}.${organization ? ` ${organization}.` : ''} Data as of ${longDay(asOf)}.`,
    ...(contact ? [' Questions: ', htmlLink(contactLink(contact), contact)] : []),
  ]);
}

export function htmlPage({ title, head, isFront = false, content }: PublicationPage): string {
  const back = isFront
    ? []
    : [renderHtmlElement('nav', [htmlLink('index.html', 'All results')], { 'aria-label': 'Pages' })];
  const metadata = renderHtmlElement('head', [
    renderHtmlElement('meta', '', { charset: 'utf-8' }),
    renderHtmlElement('meta', '', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    renderHtmlElement('title', isFront ? title : `${title} – ${publicationTitleOf(head)}`),
    ...(head.organization
      ? [renderHtmlElement('meta', '', { name: 'author', content: head.organization })]
      : []),
    renderHtmlElement('link', '', { rel: 'stylesheet', href: 'style.css' }),
  ]);
  const body = renderHtmlElement('body', [
    ...back,
    renderHtmlElement('main', [renderHtmlElement('h1', title), ...content]),
    footer(head),
  ]);
  return `<!DOCTYPE html>\n${renderHtmlElement('html', [metadata, body], { lang: 'en' }).text}\n`;
}

export const PUBLICATION_CSS = `body { margin: 0 auto; max-width: 48rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
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
dt { font-weight: 600; }
dd { margin: 0 0 0.4rem; }
.summary { border: 1px solid #c9c9c9; margin: 0.5rem 0; padding: 0.5rem 0.75rem 0.1rem; }
li { overflow-wrap: anywhere; }
footer { border-top: 1px solid #c9c9c9; margin-top: 2rem; padding-top: 0.5rem; }
@media (min-width: 40rem) { .summary { display: grid; grid-template-columns: 9rem 1fr; } }
@media print { nav { display: none; } body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; } tr, img, .summary { break-inside: avoid; } h2 { break-after: avoid; } a { color: inherit; } }
`;
