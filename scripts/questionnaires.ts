/** npm run questionnaires: check, store and activate questionnaires. */
import { readFile, writeFile } from 'node:fs/promises';
import { onlyDeclared } from '../src/http/reply.ts';
import { activateQuestionnaire } from '../src/questionnaires/change.ts';
import { DEFAULT_QUESTIONNAIRE } from '../src/questionnaires/default.ts';
import {
  faultsOf,
  findQuestionnaire,
  importQuestionnaire,
  listQuestionnaires,
  readQuestionnaire,
} from '../src/questionnaires/operate.ts';
import { Questionnaire } from '../src/questionnaires/schema.ts';
import { define, examples, pathOf, Refused, run, setAction, table, withDryRun, withJson } from './command.ts';

const onWire = onlyDeclared(Questionnaire);
const program = examples(
  define(
    'questionnaires',
    'Check, store and activate questionnaires. Each change is a new version. WHICH is an id, a name (its last version), name@version, or "active".',
  ),
  'questionnaires -- export active winter.json',
  'questionnaires -- validate winter.json',
  'questionnaires -- import winter.json --name "Winter count" --activate',
  'questionnaires -- import shipped --activate',
);

const list = define('list', 'list all versions', program);
setAction(withJson(list), async () => {
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
}
const NAME = ['--name <name>', "its name, if not the file's own"] as const;
const NETWORK = ['--network-size-question <name>', 'the question that asks for the network size'] as const;

async function fromFile(file: string, { name = undefined, networkSizeQuestion = undefined }: FromFile) {
  const text =
    file === 'shipped' ? JSON.stringify(DEFAULT_QUESTIONNAIRE) : await readFile(pathOf(file), 'utf8');
  const body = readQuestionnaire(text, { name, networkSizeQuestion });
  const faults = await faultsOf(body);
  if (faults.length === 0) return body;
  const lines = faults.map(({ path, message }) => `${path}: ${message}`);
  throw new Refused(`${lines.join('\n')}\n${faults.length} wrong: ${file} is no good questionnaire.`, {
    faults,
  });
}

const validate = define('validate <file>', 'say what is wrong with a file; stores nothing', program);
validate.option(...NAME).option(...NETWORK);
setAction<FromFile, [string]>(
  withJson(validate),
  async (options, _around, file) => {
    const { name, networkSizeQuestion } = await fromFile(file, { name: 'Unnamed', ...options });
    return { text: `${file} is a good questionnaire.`, json: { name, networkSizeQuestion, faults: [] } };
  },
  { raw: true },
);

const reads = define(
  'import <file>',
  'store a file, or the one that this version of the service ships with ("shipped"), as a new version, unless the last one is the same',
  program,
);
reads
  .option(...NAME)
  .option(...NETWORK)
  .option('--activate', 'and make it the one that new interviews answer');
setAction<FromFile, [string]>(withDryRun(withJson(reads)), async (options, { now, dryRun }, file) => {
  const doer = { by: null, now };
  const { questionnaire, isNew } = await importQuestionnaire(await fromFile(file, options), doer);
  // In a dry run a new version is not there to be activated.
  const activates = options.activate === true && !(dryRun && isNew);
  const after = activates ? await activateQuestionnaire(questionnaire._id, doer) : questionnaire;
  const { name, version } = after;
  const did = isNew ? (dryRun ? 'would be stored' : 'stored') : 'unchanged';
  const state = after.active || options.activate === true ? 'active' : 'not active';
  return { text: `${name}@${version}: ${did}, ${state}`, json: { isNew, questionnaire: onWire(after) } };
});

const activate = define('activate <which>', 'make it the one that new interviews answer', program);
setAction<object, [string]>(withDryRun(withJson(activate)), async (_options, { now }, which) => {
  const { _id, name, version } = await findQuestionnaire(which);
  const after = await activateQuestionnaire(_id, { by: null, now });
  return { text: `${name}@${version}: active`, json: onWire(after) };
});

const writes = define('export <which> <file>', 'write one to a file, for editing and import', program);
setAction<object, [string, string]>(withJson(writes), async (_options, _around, which, file) => {
  const {
    name,
    version,
    definition,
    networkSizeQuestion,
    takesPartIf = null,
  } = await findQuestionnaire(which);
  const path = pathOf(file);
  await writeFile(
    path,
    `${JSON.stringify({ name, networkSizeQuestion, takesPartIf, definition }, null, 2)}\n`,
  );
  return { text: `Wrote ${name}@${version} to ${path}`, json: { out: path, name, version } };
});

await run(program);
