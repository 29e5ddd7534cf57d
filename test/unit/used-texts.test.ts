/** Texts and code match: no text is unused, and every text key used in the client exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';

/** Vitest runs in the root folder. */
const ROOT = resolve('.');
const ENGLISH = join(ROOT, 'locales/en');
type Texts = { [key: string]: string | Texts };

const keysOf = (texts: Texts, at = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [at + key] : keysOf(value, `${at}${key}.`),
  );

/** `days_one` and `days_other` are used as `days`. */
const withoutPlural = (key: string) => key.replace(/_(one|other)$/, '');

/** The placeholder of a value in a template. */
const VALUE = '\0';

interface Code {
  file: string;
  /** String literals, and templates with VALUE in them. */
  strings: string[];
  /** Also field names: possible parts of a key. */
  words: string[];
  /** The literal arguments of `t` or its aliases. */
  said: string[];
}

type Node = Record<string, unknown> & { type?: string };
const TELLERS = ['t', 'own', 'app'];

function read(file: string): Code {
  const code: Code = { file, strings: [], words: [], said: [] };
  const visit = (node: Node): void => {
    if (node.type === 'StringLiteral') code.strings.push(node.value as string);
    if (node.type === 'TemplateLiteral' && Array.isArray(node.quasis))
      code.strings.push(node.quasis.map(({ cooked }: { cooked: string }) => cooked).join(VALUE));
    if (node.type === 'Identifier') code.words.push(node.value as string);
    if (node.type === 'NumericLiteral') code.words.push(String(node.value));
    if (node.type === 'CallExpression') {
      const [callee, argument] = [node.callee as Node, (node.arguments as { expression: Node }[])[0]];
      if (TELLERS.includes(callee.value as string) && argument?.expression.type === 'StringLiteral')
        code.said.push(argument.expression.value as string);
    }
    for (const part of Object.values(node))
      for (const one of Array.isArray(part) ? part : [part])
        if (typeof one === 'object' && one !== null) visit(one as Node);
  };
  const text = readFileSync(join(ROOT, file), 'utf8');
  visit(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x') }) as unknown as Node);
  // A file name may be a key too, with another character for its dot.
  const named = code.strings.flatMap((one) => [...(one.match(/[\w-]+/g) ?? []), one.replace(/\W/g, '_')]);
  code.words.push(...named);
  return code;
}

const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => read(`${folder}/${name}`));

const CLIENT = filesOf('client/src');
const words = new Set([...CLIENT, ...filesOf('src')].flatMap((code) => code.words));

/** A template uses each key with one of the code's words in place of the value. */
function templateOf(text: string): (key: string) => boolean {
  const pattern = new RegExp(
    `^${text
      .split(VALUE)
      .map((part) => part.replace(/[^\w\s]/g, '\\$&'))
      .join('([\\w-]+)')}$`,
  );
  return (key) =>
    pattern
      .exec(key)
      ?.slice(1)
      .every((word) => words.has(word)) ?? false;
}

/** The keys that none of these strings use; a prefix that ends at a dot uses all keys below it. */
function unusedKeys(keys: string[], strings: string[]): string[] {
  const whole = new Set(strings);
  const templates = strings.filter((text) => text.includes(VALUE) && /\w/.test(text)).map(templateOf);
  const within = (key: string) => {
    const dot = key.lastIndexOf('.');
    return whole.has(key.slice(0, Math.max(0, dot))) && words.has(key.slice(dot + 1));
  };
  return keys.filter((key) => !whole.has(key) && !within(key) && !templates.some((says) => says(key)));
}

const FILES = readdirSync(ENGLISH).map((name) => name.replace('.json', ''));
const textsOf = (file: string) => [
  ...new Set(
    keysOf(JSON.parse(readFileSync(join(ENGLISH, `${file}.json`), 'utf8')) as Texts).map(withoutPlural),
  ),
];
/** The first two are shared by all pages; any other belongs to the feature that uses it by name. */
const SHARED = ['field', 'dashboard'];
/** All but the texts for print and the service's error table (languages.test.ts). */
const CLIENT_FILES = FILES.filter((file) => !['print', 'faults', 'dashboard-faults'].includes(file));
const featureOf = (path: string) => /client\/src\/(phone|dashboard)\/[^/]+\//.exec(path)?.[0] ?? path;
function askingFor(file: string): Code[] {
  const by = CLIENT.filter(({ strings }) => strings.includes(file)).map((code) => featureOf(code.file));
  return CLIENT.filter((code) => SHARED.includes(file) || by.includes(featureOf(code.file)));
}

test.each(CLIENT_FILES)('no text is unused: %s.json', (file) => {
  const strings = askingFor(file).flatMap((code) => code.strings);
  expect(unusedKeys(textsOf(file), strings)).toEqual([]);
});

test('no print text is unused', () => {
  const files = [...filesOf('src/coupons/print'), ...filesOf('src/interviews/status')];
  const named = new Set(files.flatMap((code) => code.words));
  expect(textsOf('print').filter((key) => key.split('.').some((part) => !named.has(part)))).toEqual([]);
});

test('every text key used in the client exists', () => {
  const there = new Set(CLIENT_FILES.flatMap(textsOf));
  const parents = new Set([...there].flatMap((key) => [key, key.slice(0, key.lastIndexOf('.'))]));
  const lacking = CLIENT.flatMap(({ file, said: textKeys }) =>
    textKeys.filter((key) => !parents.has(key)).map((key) => `${file}: ${key}`),
  );
  expect(lacking).toEqual([]);
});

test('a text is unused if its key matches neither a string nor a template', () => {
  const strings = ['a.b', `c.${VALUE}`, `d.${VALUE}.e`, 'f.g'];
  expect(
    unusedKeys(['a.b', 'c.words', 'c.nowhereSaid', 'd.words.e', 'd.words.x', 'f.g.words', 'h.i'], strings),
  ).toEqual(['c.nowhereSaid', 'd.words.x', 'h.i']);
});
