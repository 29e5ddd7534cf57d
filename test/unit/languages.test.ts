/** The texts of every language: none is missing, none is extra, and each has the placeholders of the English one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPrintLanguage } from '../../src/coupons/print/sheet-texts.ts';
import { FAULTS } from '../../src/platform/http/problems/error-codes.ts';
import { PROBLEMS } from '../../src/platform/http/problems/problem.ts';

/** Vitest runs in the root folder. */
const ROOT = resolve('.');
const LOCALES = join(ROOT, 'locales');
type Texts = { [key: string]: string | Texts };
const read = <T>(...path: string[]) => JSON.parse(readFileSync(join(LOCALES, ...path), 'utf8')) as T;

const LANGUAGES = Object.keys(read<object>('languages.json'));
const FILES = readdirSync(join(LOCALES, 'en'));

/** Every text by its path. */
function flat(texts: Texts, at = ''): Map<string, string> {
  const textByPath = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') textByPath.set(at + key, value);
    else for (const [path, text] of flat(value, `${at}${key}.`)) textByPath.set(path, text);
  }
  return textByPath;
}

/** `days_one` of the app's texts, `days.one` of the printed ones. */
const COUNTED = /^(.*)([_.])(?:one|other)$/;

interface ExpectedText {
  /** The English text that this one translates. */
  english: string;
  /** "One day", "none": the singular may have the number as a word. Russian uses it for 1 and 21. */
  inWords: boolean;
}

/** The plural forms of a language, and whether a form is of one number only. */
function formsIn(language: string): [form: string, ofOne: boolean][] {
  const rules = new Intl.PluralRules(language);
  const forms = Array.from({ length: 200 }, (_, number) => rules.select(number));
  return rules
    .resolvedOptions()
    .pluralCategories.map((form) => [form, forms.filter((one) => one === form).length === 1]);
}

/** The paths a language must have: each text of English, with its own plural forms. */
function expectedKeysIn(language: string, english: Map<string, string>): Map<string, ExpectedText> {
  const expectedTexts = new Map<string, ExpectedText>();
  for (const [path, text] of english) {
    const [, base, mark] = COUNTED.exec(path) ?? [];
    const [one, other] = [english.get(`${base}${mark}one`), english.get(`${base}${mark}other`)];
    if (base === undefined || one === undefined || other === undefined)
      expectedTexts.set(path, { english: text, inWords: false });
    else
      for (const [form, ofOne] of formsIn(language))
        expectedTexts.set(`${base}${mark}${form}`, { english: ofOne ? one + other : other, inWords: ofOne });
  }
  return expectedTexts;
}

const all = (text: string, what: RegExp) => [...new Set(text.match(what) ?? [])].sort();
const PLACES = /\{\{\w+\}\}|\{\w+\}/g;
const TAGS = /<[^>]+>|\$t\([^)]*\)/g;

function faultsOf(language: string, file: string): string[] {
  const texts = flat(read<Texts>(language, file));
  const expectedTexts = expectedKeysIn(language, flat(read<Texts>('en', file)));
  const missing = [...expectedTexts.keys()]
    .filter((path) => !texts.has(path))
    .map((path) => `${path}: missing`);
  const over = [...texts.keys()]
    .filter((path) => !expectedTexts.has(path))
    .map((path) => `${path}: left over`);
  const unfit = [...texts].flatMap(([path, text]) => {
    const { english, inWords } = expectedTexts.get(path) ?? { english: text, inWords: false };
    // A form of one number may leave out the digit.
    const [here, there] = [all(text, PLACES), all(english, PLACES)];
    const fits = inWords ? here.every((place) => there.includes(place)) : String(here) === String(there);
    return [
      ...(text.trim() === '' ? [`${path}: empty`] : []),
      ...(fits
        ? []
        : [`${path}: has ${here.join(' ') || 'nothing'}, English ${there.join(' ') || 'nothing'}`]),
      ...(String(all(text, TAGS)) === String(all(english, TAGS)) ? [] : [`${path}: other tags than English`]),
    ];
  });
  return [...missing, ...over, ...unfit];
}

test('the list of languages matches the locale folders', () => {
  const folders = readdirSync(LOCALES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...LANGUAGES].sort());
});

describe.each(LANGUAGES)('%s', (language) => {
  test('has the same files as English', () => {
    expect(readdirSync(join(LOCALES, language)).sort()).toEqual([...FILES].sort());
  });

  test.each(FILES)('has each English text in every plural form, with the same placeholders: %s', (file) => {
    expect(faultsOf(language, file)).toEqual([]);
  });

  test('has its own print texts', () => {
    expect(isPrintLanguage(language)).toBe(true);
  });
});

test('plural forms are derived per language', () => {
  const english = new Map([
    ['a', 'Send {{name}} now'],
    ['b_one', '{{count}} day'],
    ['b_other', '{{count}} days'],
  ]);
  expect([...expectedKeysIn('ru', english).keys()]).toEqual(['a', 'b_few', 'b_many', 'b_one', 'b_other']);
  expect([...expectedKeysIn('vi', english).keys()]).toEqual(['a', 'b_other']);
  expect([
    expectedKeysIn('ar', english).get('b_two')?.inWords,
    expectedKeysIn('ru', english).get('b_one')?.inWords,
  ]).toEqual([true, false]);
});

describe('error texts', () => {
  const keysOf = (file: string, section?: string) => {
    const texts = read<Texts>('en', file);
    return Object.keys(section ? (texts[section] as Texts) : texts);
  };

  test('exist for exactly the error codes', () => {
    expect([...keysOf('faults.json'), ...keysOf('dashboard-faults.json')].sort()).toEqual(
      Object.keys(FAULTS).sort(),
    );
  });

  test('use only the placeholders of their code', () => {
    const texts = new Map([
      ...flat(read<Texts>('en', 'faults.json')),
      ...flat(read<Texts>('en', 'dashboard-faults.json')),
    ]);
    const unknown = Object.entries(FAULTS).flatMap(([code, words]) =>
      all(texts.get(code) ?? '', PLACES)
        .filter((place) => !String(words).includes(place))
        .map((place) => `${code}: ${place}`),
    );
    expect(unknown).toEqual([]);
  });

  test('exist for each problem, by code or by status', () => {
    const problemKeys = keysOf('field.json', 'problem');
    const lacking = Object.entries(PROBLEMS).filter(
      ([code, { status, wire }]) => !problemKeys.includes(wire ? code : `STATUS_${status}`),
    );
    expect(lacking).toEqual([]);
  });
});

describe('right-to-left support of the client', () => {
  const files = readdirSync(join(ROOT, 'client/src'), { recursive: true, encoding: 'utf8' });
  const matches = (kind: RegExp, fault: RegExp) =>
    files
      .filter((name) => kind.test(name))
      .flatMap((name) =>
        readFileSync(join(ROOT, 'client/src', name), 'utf8')
          .split('\n')
          .flatMap((line, at) => (fault.test(line) ? [`client/src/${name}:${at + 1} ${line.trim()}`] : [])),
      );

  test('no stylesheet uses left or right, only start and end', () => {
    const sided =
      /(^|\s|;|{)(margin-|padding-|border-|inset-)?(left|right)(-\w+)*\s*:|(text-align|float|clear):\s*(left|right)|translateX/;
    const uneven =
      /(padding|margin|inset|border-width):\s*(\S+) (\S+) (\S+) (?!\3\b)[^\s;!]+\s*(!important)?;/;
    expect([...matches(/\.css$/, sided), ...matches(/\.css$/, uneven)]).toEqual([]);
  });

  // Charts always read from left to right.
  test('no component style uses left or right, but in charts', () => {
    const sided =
      /\b(ml|mr|pl|pr)=|\b(margin|padding|border|inset)(Left|Right)\b|textAlign: '(left|right)'|\bta="(left|right)"/;
    expect(matches(/(?<!-charts?)\.tsx$/, sided)).toEqual([]);
  });
});

test('the client loads texts from where they are: neither the compiler nor the build checks a path with a variable', () => {
  const folder = join(ROOT, 'client/src/texts');
  const [, path] = /import\(`(.*)\$\{language\}/.exec(readFileSync(join(folder, 'i18n.ts'), 'utf8')) ?? [];
  expect(resolve(folder, path ?? '')).toBe(LOCALES);
});
