/**
 * Converts texts. XLSForm uses a little Markdown, and `${name}` for an answer; SurveyJS uses HTML in informational
 * texts, plain text elsewhere, and `{name}`. Browser-safe.
 */
import { PLAIN_TAGS } from '../../definition/definition-safety.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const PLAIN: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" };
const TAG = /<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi;
const MAX_CHARACTERS = 20_000;

export interface ConvertedText {
  text: string;
  /** Some formatting was lost. */
  hasLoss: boolean;
}

/** The HTML of an informational text. */
export function htmlOfMarkdown(text: string): ConvertedText {
  const source = text.replaceAll('\r\n', '\n').trim().slice(0, MAX_CHARACTERS);
  let hasLoss = text.length > MAX_CHARACTERS;
  const inline = (line: string) =>
    line
      .split(/(<\/?[a-z][^<>]*>)/i)
      .map((part) => {
        const tag = /^<(\/?)([a-z][a-z0-9]*)[^<>]*>$/i.exec(part);
        if (!tag) return part.replace(/[&<>]/g, (one) => ESCAPES[one] ?? one);
        const name = (tag[2] ?? '').toLowerCase();
        if (!PLAIN_TAGS.has(name) || part !== `<${tag[1]}${name}>`) hasLoss = true;
        return PLAIN_TAGS.has(name) ? `<${tag[1]}${name}>` : '';
      })
      .join('')
      .replace(/\*\*([^*\n]+)\*\*/g, '<b>$1</b>')
      .replace(/(^|[^*\p{L}\p{N}])\*([^*\s][^*\n]*)\*(?![*\p{L}\p{N}])/gu, '$1<i>$2</i>');
  const blocks = source.split(/\n\s*\n/).map((block) => {
    const lines = block.split('\n');
    const [, marks, title] = (lines.length === 1 && /^(#{1,6}) +(.+)$/.exec(block)) || [];
    if (marks && title) return `<h${marks.length}>${inline(title)}</h${marks.length}>`;
    if (lines.every((line) => line.startsWith('- ')))
      return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('')}</ul>`;
    return `<p>${lines.map(inline).join('<br>')}</p>`;
  });
  return { text: blocks.join(''), hasLoss };
}

/**
 * The reverse of `htmlOfMarkdown`; nothing is lost if converting back gives the same. HTML collapses spaces and line breaks
 * into one space.
 */
export function markdownOfHtml(html: string): ConvertedText {
  const text = html
    .slice(0, MAX_CHARACTERS)
    .replace(/\s+/g, ' ')
    .replace(/<h([1-6])>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<(\/?)(b|strong)>/gi, '**')
    .replace(/<(\/?)(i|em)>/gi, '*')
    .replace(/<br ?\/?> ?/gi, '\n')
    .replace(/<\/(p|ul|ol|div|h[1-6])>|<(p|ul|ol|div)>/gi, '\n\n')
    .replace(/<li>/gi, '\n- ')
    .replace(TAG, '')
    .replace(/&(#39|\w+);/g, (whole, name: string) => PLAIN[name] ?? whole)
    .replace(/\n{2,}(?=- )/g, '\n\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
  return { text, hasLoss: htmlOfMarkdown(text).text !== html.replace(/\s+/g, ' ') };
}

/** A question's text, without formatting. */
export function plainTextOf(text: string): ConvertedText {
  const plain = text
    .replace(TAG, (tag) => (/^<br/i.test(tag) ? ' ' : ''))
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(/^#{1,6} +/gm, '');
  return { text: plain, hasLoss: plain !== text };
}

/** Placeholder for an answer that doesn't exist. */
const NO_ANSWER = '…';

/** Replaces each `${name}` with the reference that `refer` returns. */
export const importPlaceholders = (text: string, refer: (name: string) => string | null): string =>
  text.replace(/\$\{([^{}]*)\}/g, (_, name: string) => {
    const reference = refer(name.trim());
    return reference === null ? NO_ANSWER : `{${reference}}`;
  });

/**
 * Replaces each `{name}` with the reference that `refer` returns. Unknown names stay, but never as `${name}`, which no
 * program could read.
 */
export const exportPlaceholders = (text: string, refer: (name: string) => string | null): string =>
  text.replace(/\$?\{([^{}\n]{0,120})\}/g, (whole, name: string) => {
    const reference = refer(name.trim());
    return reference === null ? whole.replace(/^\$/, '') : `\${${reference}}`;
  });
