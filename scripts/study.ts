/** npm run study: shows and changes the study's settings. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import { parse, stringify } from 'yaml';
import { declaredFieldsSerializer } from '../src/platform/http/lists/declared-fields.ts';
import type { StudyRecord } from '../src/study/settings/model.ts';
import { Study, StudyPatch } from '../src/study/settings/schema.ts';
import {
  type CommandAction,
  define,
  examples,
  listOfWords,
  pathOf,
  run,
  schemaFaults,
  setAction,
  withDryRun,
  withJson,
  wrongArgument,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/platform/http/parse-input.ts')),
  ...(await import('../src/study/settings/change.ts')),
  ...(await import('../src/study/settings/model.ts')),
  ...(await import('../src/study/settings/require-passkeys.ts')),
  ...(await import('../src/study/users/find.ts')),
  ...(await import('../src/statistics/sample/outcome-check.ts')),
});

const onWire = declaredFieldsSerializer(Study) as (record: unknown) => Record<string, unknown>;
const program = examples(
  define('study', "Show or change the study's settings, including those printed on coupons."),
  'study -- show',
  'study -- set --name "Winter count" --contact "206 555 0142" --coupon-valid-days 21',
  'study -- set --coupon-text "en=Bring this coupon." --coupon-text "es=Traiga este cupón."',
  'study -- set --from study.yaml',
);

/** As YAML, without what nobody sets, so that what is shown can be edited and given to `set --from`. */
const asYaml = (record: Record<string, unknown>) =>
  stringify(JSON.parse(JSON.stringify({ ...record, giftCards: undefined, updatedAt: undefined }))).trimEnd();

const show = define('show', 'show all settings, in the format that `set --from` reads', program);
setAction(withJson(show), async () => {
  const { loadStudy } = await load();
  const record = onWire(await loadStudy());
  return { text: asYaml(record), json: record };
});

/** commander itself makes another value of null. */
const NO_VALUE = 'none';
const number = (text: string): number | typeof NO_VALUE => {
  if (text === NO_VALUE) return NO_VALUE;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, or none.');
};
const inLanguage = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, language = '', words = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (!language) throw new InvalidArgumentError('It must be LANGUAGE=TEXT, such as "en=Bring this coupon."');
  return { ...before, [language]: words };
};

type Options = Record<string, unknown> & {
  from?: string;
  couponText?: Record<string, string>;
  contactIn?: Record<string, string>;
};
const set = define('set', 'change settings; the others stay as they are', program)
  .option('--name <text>', 'the name of the study')
  .option('--contact <text>', 'who to call, printed on coupons')
  .option('--contact-in <language=text>', 'contact in one language (repeatable)', inLanguage)
  .option('--coupons-per-survey <number>', 'coupons per person, 0 to 10', number)
  .option('--coupon-valid-days <days>', 'days a coupon is valid, or none', number)
  .option('--coupon-starts-after-hours <hours>', 'hours until a coupon is valid', number)
  .option('--coupon-text <language=text>', 'coupon text in one language (repeatable)', inLanguage)
  .option('--languages <languages>', 'such as en,es', listOfWords)
  .option('--target-sample-size <number>', 'target number of interviews, or none', number)
  .option('--population-size <number>', 'population size, if known, or none', number)
  .option('--analysis-runs <when>', 'OFF, or AUTOMATIC to calculate intervals every night')
  .option('--device-lock <lock>', 'OFF, or PIN so that phones ask for a PIN')
  .option('--lock-after-minutes <minutes>', 'minutes until a phone locks, 1 to 60', number)
  .option('--due-from <day>', 'first day of interviews, such as 2026-11-23, or none')
  .option('--due-to <day>', 'last day of interviews, or none')
  .option('--time-zone <zone>', 'time zone of the study, such as America/Los_Angeles, or none')
  .option('--from <file>', 'YAML or JSON file with settings; options override it');

/** What the options alone say, without the file. */
function givenBy({
  json: _json,
  dryRun: _dryRun,
  from: _from,
  couponText: _texts,
  contactIn: _in,
  ...named
}: Options) {
  const clearable = ([key, value]: [string, unknown]) => [
    key,
    value === NO_VALUE && key !== 'name' ? null : value,
  ];
  return Object.fromEntries(Object.entries(named).map(clearable));
}

const setSettings: CommandAction<Options> = async (options, { config, now, dryRun }) => {
  const {
    parseInput,
    loadStudy,
    updateStudy,
    requireValidOutcomes,
    requirePasskeysWork,
    hasSuperAdminWithPasskey,
  } = await load();
  const { from, couponText, contactIn } = options;
  const fields = givenBy(options);
  const file = from ? await readSettings(pathOf(from)) : {};
  const before = await loadStudy();
  const stored = { ...before, ...file };
  const texts = couponText ? { couponText: { ...stored.couponText, ...couponText } } : {};
  const contacts = contactIn ? { contactTexts: { ...stored.contactTexts, ...contactIn } } : {};
  const body = parseInput(StudyPatch, { ...file, ...fields, ...texts, ...contacts });
  const isReady = await hasSuperAdminWithPasskey();
  const allow = (study: StudyRecord) => requirePasskeysWork(study, body, config, isReady);
  const record = onWire(await updateStudy(body, { by: null, now }, requireValidOutcomes, allow));
  return { text: `${dryRun ? '# Not done: --dry-run\n' : ''}${asYaml(record)}`, json: record };
};
setAction(withDryRun(withJson(set)), setSettings, {
  check: async ({ from, couponText, contactIn, ...options }) => {
    const texts = { ...(couponText && { couponText }), ...(contactIn && { contactTexts: contactIn }) };
    const fields = { ...givenBy(options), ...texts };
    // The file is checked together with the options, once it has been read.
    return from !== undefined && Object.keys(fields).length === 0
      ? []
      : await schemaFaults(StudyPatch, fields);
  },
  inputs: ({ from }) => (from === undefined ? [] : [from]),
});

async function readSettings(path: string): Promise<object> {
  const text = await readFile(path, 'utf8');
  let read: unknown;
  try {
    read = parse(text);
  } catch (error) {
    throw new Error(`${path} can't be read: ${(error as Error).message.split('\n')[0]}`);
  }
  if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read;
  throw wrongArgument(`${path} must contain settings by name, as "study show" prints them.`);
}

await run(program);
