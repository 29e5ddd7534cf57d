/** npm run questionnaires: validates, stores and activates questionnaires. */
import { readFile, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { declaredFieldsSerializer } from '../src/platform/http/lists/declared-fields.ts';
import { decodeText } from '../src/platform/lib/text/decode-text.ts';
import { Questionnaire } from '../src/questionnaires/schema.ts';
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/shipped/default-questionnaire.ts';
import type { XlsformNote } from '../src/questionnaires/xlsform/notes.ts';
import {
  type CommandAction,
  defaultOutput,
  define,
  examples,
  outputOf,
  pathOf,
  Refused,
  run,
  setAction,
  table,
  withDryRun,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/statistics/activation/activate.ts')),
  ...(await import('../src/questionnaires/validator/validator.ts')),
  ...(await import('../src/questionnaires/commands.ts')),
  ...(await import('../src/questionnaires/xlsform/export/export.ts')),
  ...(await import('../src/questionnaires/read-file.ts')),
});

const onWire = declaredFieldsSerializer(Questionnaire);
const program = examples(
  define(
    'questionnaires',
    'Check, import and activate questionnaires. Each change is a new version. WHICH is an id, a name (its latest version), name@version, or "active".',
  ),
  'questionnaires -- export active winter.json',
  'questionnaires -- validate winter.json',
  'questionnaires -- import winter.json --name "Winter count" --activate',
  'questionnaires -- import shipped --activate',
  'questionnaires -- import winter.xlsx --network-size-question known_people',
  'questionnaires -- export active winter.xlsx --format xlsform',
);

const list = define('list', 'list all versions', program);
setAction(withJson(list), async () => {
  const { listQuestionnaires } = await load();
  const all = await listQuestionnaires();
  const rows = all.map((one) => [
    one._id.toHexString(),
    one.name,
    String(one.version),
    one.active ? 'active' : '',
    one.createdAt.toISOString().slice(0, 10),
  ]);
  const json = all.map((one) => ({ ...(onWire(one) as object), definition: undefined }));
  const headings = ['ID', 'NAME', 'VERSION', 'ACTIVE', 'MADE'];
  return { text: table(headings, rows, 'There are no questionnaires.'), json };
});

interface FromFile {
  name?: string;
  networkSizeQuestion?: string;
  activate?: boolean;
  confirm?: boolean;
}
const NAME = ['--name <name>', "its name, if not the file's own"] as const;
const CONFIRM = [
  '--confirm',
  'activate it although the network size question, eligibility or an outcome used by a count is lost',
] as const;
const NETWORK = ['--network-size-question <name>', 'the question that asks for the network size'] as const;

async function fromFile(
  file: string,
  { name = undefined, networkSizeQuestion = undefined }: FromFile,
  unnamed?: string,
) {
  const { questionnaireFaultsOf: faultsOf, parseQuestionnaireFile } = await load();
  const overrides = { name, networkSizeQuestion };
  const { text, notes } = await textOf(file);
  const body = parseQuestionnaireFile(text, overrides, unnamed);
  const faults = await faultsOf(body);
  if (faults.length === 0) return { body, notes };
  const lines = faults.map(({ path, message }) => `${path}: ${message}`);
  throw new Refused(`${lines.join('\n')}\n${faults.length} wrong. ${file} isn't a valid questionnaire.`, {
    faults,
  });
}

/** The file as JSON; of a form of XLSForm also what was left out. */
async function textOf(file: string): Promise<{ text: string; notes: XlsformNote[] }> {
  if (file === 'shipped') return { text: JSON.stringify(DEFAULT_QUESTIONNAIRE), notes: [] };
  if (!/\.xlsx$/i.test(file)) return { text: decodeText(await readFile(pathOf(file))), notes: [] };
  const { readFormFile } = await load();
  const { faults, notes, networkSizeQuestion, ...read } = await readFormFile(await readFile(pathOf(file)));
  if (faults.length === 0)
    return {
      text: JSON.stringify({ ...read, networkSizeQuestion: networkSizeQuestion ?? undefined }),
      notes,
    };
  throw new Refused(`${linesOf(faults)}${faults.length} wrong. ${file} isn't a valid form.`, { faults });
}

const inputsOf = (file: string) => (file === 'shipped' ? [] : [file]);

const linesOf = (notes: XlsformNote[]) =>
  notes.map(({ sheet, row, message }) => `${[sheet, row || ''].join(' ').trim()}: ${message}\n`).join('');

const validate = define('validate <file>', 'check a file without storing it', program);
validate.option(...NAME).option(...NETWORK);
setAction<FromFile, [string]>(
  withJson(validate),
  async (options, _around, file) => {
    const { body, notes } = await fromFile(file, options, 'Unnamed');
    const { name, networkSizeQuestion } = body;
    const text = `${linesOf(notes)}${file} is a valid questionnaire.`;
    return { text, json: { name, networkSizeQuestion, faults: [], notes } };
  },
  { raw: true, inputs: (_options, file) => inputsOf(file) },
);

const reads = define(
  'import <file>',
  'store a file (SurveyJS JSON or an XLSForm, .xlsx), or the questionnaire that comes with the service ("shipped"), as a new version, unless the latest version is the same',
  program,
);
reads
  .option(...NAME)
  .option(...NETWORK)
  .option('--activate', 'also activate it for new interviews')
  .option(...CONFIRM);
const importFile: CommandAction<FromFile, [string]> = async (options, { now, dryRun }, file) => {
  const { activateVersion, importQuestionnaire } = await load();
  const doer = { by: null, now };
  const { body, notes } = await fromFile(file, options);
  const { questionnaire, isNew } = await importQuestionnaire(body, doer);
  // In a dry run a new version is not there to be activated.
  const activates = options.activate === true && !(dryRun && isNew);
  const after = activates
    ? await activateVersion(questionnaire._id, doer, { confirm: options.confirm === true })
    : questionnaire;
  const { name, version } = after;
  const did = isNew ? (dryRun ? 'would be stored' : 'stored') : 'unchanged';
  const state = after.active || options.activate === true ? 'active' : 'not active';
  const text = `${linesOf(notes)}${name}@${version}: ${did}, ${state}`;
  return { text, json: { isNew, questionnaire: onWire(after), notes } };
};
setAction(withDryRun(withJson(reads)), importFile, { inputs: (_options, file) => inputsOf(file) });

const activate = define('activate <which>', 'activate a version for new interviews', program);
activate.option(...CONFIRM);
setAction<FromFile, [string]>(withDryRun(withJson(activate)), async (options, { now }, which) => {
  const { activateVersion, findQuestionnaire } = await load();
  const { _id, name, version } = await findQuestionnaire(which);
  const after = await activateVersion(_id, { by: null, now }, { confirm: options.confirm === true });
  return { text: `${name}@${version}: active`, json: onWire(after) };
});

const writes = define(
  'export [which] [file]',
  'write a version to a file, for editing and import (default: the active one, to NAME-VERSION-DATE.json or .xlsx)',
  program,
);
writes
  .addOption(
    new Option('--format <format>', 'JSON, or an XLSForm (.xlsx)')
      .choices(['json', 'xlsform'])
      .default('json'),
  )
  .option('--force', 'replace the file if it exists');
setAction<{ format: string }, [string | undefined, string | undefined]>(
  withJson(writes),
  async ({ format }, _options, which = 'active', file) => {
    const { exportForm, findQuestionnaire, writeXlsform } = await load();
    const {
      name,
      version,
      definition,
      networkSizeQuestion,
      takesPartIf = null,
      identityQuestions = null,
    } = await findQuestionnaire(which);
    const form = { name, version, definition, networkSizeQuestion, takesPartIf, identityQuestions };
    const ending = format === 'xlsform' ? '.xlsx' : '.json';
    const path = outputOf(
      file ?? defaultOutput(`${name.replace(/[^\p{L}\p{N}]+/gu, '-')}-${version}`, ending),
    );
    const isForm = format === 'xlsform';
    const notes = isForm ? exportForm(form).notes : [];
    const { version: _numberedAnew, ...whole } = form;
    await writeFile(path, isForm ? await writeXlsform(form) : `${JSON.stringify(whole, null, 2)}\n`);
    return {
      text: `${linesOf(notes)}Wrote ${name}@${version} to ${path}`,
      json: { out: path, name, version, ...(isForm && { notes }) },
    };
  },
  { outputs: (_options, _which, file) => (file === undefined ? [] : [file]) },
);

await run(program);
