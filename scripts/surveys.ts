/** npm run surveys: imports interviews of someone who can no longer send them, erases one, and rejects a site's. */
import type { RescuedInterviewResult } from '../src/interviews/surveys/import/import-rescue-file.ts';
import { MAX_RESCUE_BYTES } from '../src/interviews/surveys/import/rescue-file.ts';
import { SurveyErasureRequest } from '../src/interviews/surveys/schema.ts';
import { fullName } from '../src/platform/lib/text/full-name.ts';
import {
  type CommandAction,
  define,
  examples,
  pathOf,
  progress,
  Refused,
  run,
  schemaFaults,
  setAction,
  withDryRun,
  withJson,
  wrongArgument,
} from './command.ts';
import { addReject } from './surveys/reject.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/platform/http/parse-input.ts')),
  ...(await import('../src/platform/http/bodies/input-file.ts')),
  ...(await import('../src/study/settings/field-keys.ts')),
  ...(await import('../src/study/settings/time-zone.ts')),
  ...(await import('../src/interviews/surveys/erase.ts')),
  ...(await import('../src/interviews/surveys/import/import-rescue-file.ts')),
  ...(await import('../src/study/users/commands.ts')),
});

const program = define(
  'surveys',
  'Import interviews that their interviewer can no longer send, erase one, or reject all of a site.',
);
examples(
  program,
  'surveys -- import interviews-2026-11-21.json --dry-run',
  'surveys -- import interviews-2026-11-21.json --owner +12065550123',
  'surveys -- erase 665f1c2ab7e4d90012345678 --reason "asked for on 21 November"',
  'surveys -- reject --location "Downtown shelter" --from 2026-11-21 --to 2026-11-23 --reason "made up"',
);

interface Options {
  owner?: string;
}
const reads = define(
  'import <file>',
  "store a phone's rescue file; each interview by itself",
  program,
).option(
  '--owner <user>',
  'the interviewer: an id or a phone number, also of a deleted account (default: the person named in the file)',
);
examples(reads, 'surveys -- import interviews-2026-11-21.json --dry-run');
reads.addHelpText(
  'after',
  "\nThe interviews become their owner's, whatever has become of the account, with the coupons that were handed out.\n" +
    'Importing the same file again changes nothing. Exits with 1 if an interview was rejected; the others are saved.',
);
const importRescueFile: CommandAction<Options, [string]> = async ({ owner: ownerOption }, context, path) => {
  const {
    fieldDecryptionKeys: fieldIdentities,
    findUserEvenDeleted,
    importRescuedInterviews: importRescued,
    readInputFile,
    requireRescueFileOwner: requireFileOwner,
    requireRescueFile,
    studyTimeZone,
  } = await load();
  const { config, now, dryRun, say } = context;
  const file = requireRescueFile(await readInputFile(pathOf(path), MAX_RESCUE_BYTES));
  const name = ownerOption ?? file.owner;
  if (!name) throw wrongArgument("The file doesn't name the interviewer. Use --owner.");
  const owner = await findUserEvenDeleted({ name, region: config.defaultRegion });
  const id = owner._id.toHexString();
  await requireFileOwner(file, owner);
  const bar = progress('Interviews');
  const unexpected = (error: unknown) => say(`An interview failed: ${String(error)}`);
  const importing = {
    owner,
    now,
    zone: await studyTimeZone(config),
    config,
    fieldKeys: fieldIdentities(config),
    step: bar.step,
    unexpected,
  };
  const reports = await importRescued(file, importing).finally(bar.end);
  const whose = `${fullName(owner)} (${id}${owner.deletedAt ? ', deleted' : ''})`;
  const lines = [`Interviews of ${whose}:`, ...reports.map(lineOf), sumOf(reports, dryRun), ...leftOut(file)];
  const json = { owner: id, reports, drafts: file.drafts, broken: file.broken };
  const good = file.broken === 0 && reports.every(({ result }) => result !== 'refused');
  if (!good) throw new Refused(lines.join('\n'), json);
  return { text: lines.join('\n'), json };
};
setAction(withDryRun(withJson(reads)), importRescueFile, { inputs: (_options, path) => [path] });

function lineOf({ clientId, heldAt, result, message, couponsToAdd }: RescuedInterviewResult): string {
  const late =
    couponsToAdd.length > 0
      ? `; coupons handed out later, to be added by hand: ${couponsToAdd.join(', ')}`
      : '';
  return `${clientId}, interview date ${heldAt ?? 'unknown'}: ${result}${message ? ` (${message})` : ''}${late}`;
}

function sumOf(reports: RescuedInterviewResult[], dryRun: boolean): string {
  const count = (result: RescuedInterviewResult['result']) =>
    reports.filter((one) => one.result === result).length;
  const sum = `${count('stored')} stored, ${count('there already')} there already, ${count('refused')} refused`;
  return `${sum}${dryRun ? ' (not done: --dry-run)' : ''}`;
}

function leftOut({ drafts, broken }: { drafts: number; broken: number }): string[] {
  const lines: string[] = [];
  if (drafts > 0)
    lines.push(`Not imported: ${drafts} unfinished. They can only be continued in the interviewer's app.`);
  if (broken > 0) lines.push(`Not imported: ${broken} that can't be read.`);
  return lines;
}

const erases = define('erase <id>', 'erase the answers of an interview for good', program).option(
  '--reason <text>',
  'why, for the history; without anything about the person, since it stays',
  'Erased by an operator.',
);
examples(erases, 'surveys -- erase 665f1c2ab7e4d90012345678 --reason "asked for on 21 November"');
erases.addHelpText(
  'after',
  '\nErases answers, position, comments, second copies, identity hashes and the values in the history.\n' +
    'The place in the tree, dates, coupons and the network size stay. It can’t be undone.',
);
setAction<{ reason: string }, [string]>(
  withDryRun(withJson(erases)),
  async ({ reason: text }, { now, dryRun }, id) => {
    const { eraseSurvey, parseInput } = await load();
    const { reason } = parseInput(SurveyErasureRequest, { reason: text });
    // Operators have no account, so there are no rights to check.
    const erasure = { reason, mayErase: () => true };
    const { _id, erasedAt } = await eraseSurvey(id, erasure, { by: null, now });
    const outcome = dryRun
      ? `Would erase the interview ${_id} (not done: --dry-run).`
      : `Erased the interview ${_id} (${erasedAt?.toISOString()}).`;
    const backupNote = 'Earlier backups and downloaded files still have its answers.';
    return { text: `${outcome}\n${backupNote}`, json: { survey: String(_id), erasedAt, dryRun } };
  },
  { check: async ({ reason }) => await schemaFaults(SurveyErasureRequest, { reason }) },
);

addReject(program);

await run(program);
