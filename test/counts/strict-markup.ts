/** What is wrong with pages that are HTML and well-formed XML at once: a strict reader for tests. */

const EMPTY = new Set(['meta', 'link', 'img', 'br']);
const TAG = /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;

interface Element {
  name: string;
  attributes: Map<string, string>;
  text: string;
  parents: string[];
}

function readMarkup(markup: string): { elements: Element[]; faults: string[] } {
  const faults: string[] = [];
  const elements: Element[] = [];
  const open: Element[] = [];
  for (let at = 0; at < markup.length; ) {
    if (markup[at] !== '<') {
      const end = markup.indexOf('<', at);
      const text = markup.slice(at, end < 0 ? undefined : end);
      if (/&(?!(?:amp|lt|gt|quot|#\d+|#x[\da-f]+);)|>/i.test(text)) faults.push(`bare & or > in "${text}"`);
      for (const one of open) one.text += text;
      at += text.length;
      continue;
    }
    TAG.lastIndex = at;
    const match = TAG.exec(markup);
    if (!match) return { elements, faults: [...faults, `no tag at ${markup.slice(at, at + 40)}`] };
    const [whole, isEnd, name = '', written = '', isClosed] = match;
    at += whole.length;
    if (isEnd) {
      if (open.pop()?.name !== name) faults.push(`</${name}> closes another element`);
      continue;
    }
    const pairs = [...written.matchAll(/([\w:-]+)="([^"]*)"/g)].map(
      ([, key = '', value = '']) => [key, value] as const,
    );
    const attributes = new Map(pairs);
    if (attributes.size < pairs.length) faults.push(`<${name}> has an attribute twice`);
    const element = { name, attributes, text: '', parents: open.map((one) => one.name) };
    elements.push(element);
    if (!isClosed) open.push(element);
  }
  for (const { name } of open) faults.push(`<${name}> is not closed`);
  return { elements, faults };
}

export function xmlFaults(text: string): string[] {
  const { elements, faults } = readMarkup(text.replace(/^<\?xml [^>]*\?>\n/, '').trim());
  const roots = elements.filter(({ parents }) => parents.length === 0);
  return roots.length === 1 ? faults : [...faults, `${roots.length} roots`];
}

const KNOWN = new Set(
  'html head meta title link body nav main h1 h2 p a img ul li div table caption thead tbody tr th td'.split(
    ' ',
  ),
);
const PARENTS: Record<string, string[]> = {
  li: ['ul'],
  tr: ['thead', 'tbody'],
  th: ['tr'],
  td: ['tr'],
  caption: ['table'],
  thead: ['table'],
  tbody: ['table'],
};
const BLOCKS = ['p', 'ul', 'div', 'table', 'h1', 'h2', 'main', 'nav'];

export function strictHtmlFaults(page: string): string[] {
  if (!page.startsWith('<!DOCTYPE html>\n')) return ['no doctype'];
  const { elements, faults } = readMarkup(page.slice('<!DOCTYPE html>\n'.length).trim());
  const allFaults = [...faults];
  const of = (name: string) => elements.filter((one) => one.name === name);
  for (const { name, parents, attributes, text } of elements) {
    if (!KNOWN.has(name)) allFaults.push(`<${name}> is not known`);
    if (PARENTS[name] && !PARENTS[name].includes(parents.at(-1) ?? ''))
      allFaults.push(`<${name}> in <${parents.at(-1)}>`);
    if (BLOCKS.includes(name) && parents.includes('p')) allFaults.push(`<${name}> in <p>`);
    if (EMPTY.has(name) && text) allFaults.push(`<${name}> has content`);
    if (name === 'img' && !attributes.get('alt')) allFaults.push('an image without words');
    if (name === 'th' && !attributes.get('scope')) allFaults.push('a heading cell without a scope');
    if (['h1', 'h2', 'title', 'a', 'th', 'caption'].includes(name) && !text.trim())
      allFaults.push(`an empty <${name}>`);
  }
  for (const name of ['html', 'head', 'body', 'title', 'main', 'h1'])
    if (of(name).length !== 1) allFaults.push(`${of(name).length} <${name}>`);
  if (!of('html')[0]?.attributes.get('lang')) allFaults.push('no language');
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
  if (new Set(ids).size < ids.length) allFaults.push('an id twice');
  const rows = page.match(/<tr>.*?<\/tr>/gs)?.map((row) => row.match(/<t[hd][ >]/g)?.length) ?? [];
  if (rows.includes(undefined)) allFaults.push('a row without cells');
  return allFaults;
}
