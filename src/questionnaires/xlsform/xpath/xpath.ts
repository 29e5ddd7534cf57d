/** Parses XLSForm's rules: `${age} >= 18 and selected(${help}, 'food')`. Browser-safe. */
export type XPathNode =
  | { is: 'name'; name: string }
  /** The answer to the question itself, written as a dot. */
  | { is: 'self' }
  /** A column of the choices sheet, without `${}`. */
  | { is: 'column'; name: string }
  | { is: 'text'; value: string }
  | { is: 'number'; value: number }
  | { is: 'call'; name: string; args: XPathNode[] }
  | { is: 'binary'; op: XPathOperator; left: XPathNode; right: XPathNode };

export type XPathOperator =
  | 'or'
  | 'and'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | 'div'
  | 'mod';

export const MAX_XPATH_LENGTH = 4_000;
const MAX_DEPTH = 60;

export class UnreadableXPath extends Error {}
export class XPathTooLong extends Error {}

type Token = { kind: 'value'; node: XPathNode } | { kind: 'word' | 'mark'; text: string };

/** Lowest precedence first. */
const LEVELS: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
];
const TOKEN =
  /\$\{\s*([^{}\s]+)\s*\}|(?:(?:\.{1,2}\/)+|\/)(?:[\p{L}_][\p{L}\p{N}_.-]*\/)*([\p{L}_][\p{L}\p{N}_.-]*)(?![\p{L}\p{N}_./[(-])|'([^']*)'|"([^"]*)"|(\d+(?:\.\d*)?|\.\d+)|(<=|>=|!=|[=<>+\-*(),])|([\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?)|(\.(?![./]))/uy;

/** Replaces curly quotes, as word processors write them. */
const straight = (text: string) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');

/** Throws UnreadableXPath or XPathTooLong. */
export function parseXPath(text: string): XPathNode {
  if (text.length > MAX_XPATH_LENGTH) throw new XPathTooLong();
  const tokens = tokensOf(straight(text));
  let at = 0;
  let depth = 0;

  const take = (texts: readonly string[]): string | null => {
    const token = tokens[at];
    if (!token || token.kind === 'value' || !texts.includes(token.text)) return null;
    at += 1;
    return token.text;
  };
  const level = (index: number): XPathNode => {
    const operators = LEVELS[index];
    if (!operators) return single();
    let left = level(index + 1);
    for (let op = take(operators); op !== null; op = take(operators))
      left = { is: 'binary', op: op as XPathOperator, left, right: level(index + 1) };
    return left;
  };
  const within = (): XPathNode => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new XPathTooLong();
    const node = level(0);
    depth -= 1;
    return node;
  };
  const single = (): XPathNode => {
    const token = tokens[at];
    at += 1;
    if (!token) throw new UnreadableXPath();
    if (token.kind === 'value') return token.node;
    if (token.kind === 'word') return take(['(']) ? call(token.text) : { is: 'column', name: token.text };
    if (token.text === '-') return negative();
    if (token.text !== '(') throw new UnreadableXPath();
    const node = within();
    if (!take([')'])) throw new UnreadableXPath();
    return node;
  };
  const negative = (): XPathNode => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new XPathTooLong();
    const of = single();
    depth -= 1;
    if (of.is === 'number') return { is: 'number', value: -of.value };
    return { is: 'binary', op: '-', left: { is: 'number', value: 0 }, right: of };
  };
  const call = (name: string): XPathNode => {
    const args: XPathNode[] = [];
    if (take([')'])) return { is: 'call', name, args };
    do args.push(within());
    while (take([',']));
    if (!take([')'])) throw new UnreadableXPath();
    return { is: 'call', name, args };
  };

  const whole = within();
  if (at < tokens.length) throw new UnreadableXPath();
  return whole;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const token = new RegExp(TOKEN);
  let at = /^\s*/.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) throw new UnreadableXPath();
    const [whole, called, atPath, single, double, number, mark, word] = match;
    const name = called ?? atPath;
    if (name !== undefined) tokens.push({ kind: 'value', node: { is: 'name', name } });
    else if (single !== undefined || double !== undefined)
      tokens.push({ kind: 'value', node: { is: 'text', value: single ?? double ?? '' } });
    else if (number !== undefined)
      tokens.push({ kind: 'value', node: { is: 'number', value: Number(number) } });
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'value', node: { is: 'self' } });
    at += whole.length;
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  }
  return tokens;
}

/** Splits `a and b and c` into its parts. */
export function operandsOf(node: XPathNode, op: 'and' | 'or'): XPathNode[] {
  const parts: XPathNode[] = [];
  const open = [node];
  for (let one = open.pop(); one; one = open.pop())
    if (one.is === 'binary' && one.op === op) open.push(one.right, one.left);
    else parts.push(one);
  return parts;
}
