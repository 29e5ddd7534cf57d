/** What is wrong with XML that should be well-formed: a strict reader for tests. */

const TAG = /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;

export function xmlFaults(text: string): string[] {
  const markup = text.replace(/^<(?:\?xml [^>]*\?|!DOCTYPE html)>\n/, '').trim();
  const faults: string[] = [];
  const open: string[] = [];
  let roots = 0;
  for (let at = 0; at < markup.length; ) {
    if (markup[at] !== '<') {
      const end = markup.indexOf('<', at);
      const text = markup.slice(at, end < 0 ? undefined : end);
      if (/&(?!(?:amp|lt|gt|quot|#\d+|#x[\da-f]+);)|>/i.test(text)) faults.push(`bare & or > in "${text}"`);
      at += text.length;
      continue;
    }
    TAG.lastIndex = at;
    const match = TAG.exec(markup);
    if (!match) return [...faults, `no tag at ${markup.slice(at, at + 40)}`];
    const [whole, isEnd, name = '', written = '', isClosed] = match;
    at += whole.length;
    if (isEnd) {
      if (open.pop() !== name) faults.push(`</${name}> closes another element`);
      continue;
    }
    const keys = [...written.matchAll(/([\w:-]+)="/g)].map(([, key]) => key);
    if (new Set(keys).size < keys.length) faults.push(`<${name}> has an attribute twice`);
    if (open.length === 0) roots++;
    if (!isClosed) open.push(name);
  }
  for (const name of open) faults.push(`<${name}> is not closed`);
  return roots === 1 ? faults : [...faults, `${roots} roots`];
}
