/** npm run surveys: interviews of someone who can't send them any more. */
import type { InterviewReport } from '../src/surveys/import-rescue-file.ts';
import { MAX_RESCUE_BYTES } from '../src/surveys/rescue-file.ts';
import {
  define,
  examples,
  pathOf,
  progress,
  Refused,
  run,
  setAction,
  withDryRun,
  withJson,
  wrongArgument,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/http/upload-file.ts')),
  ...(await import('../src/study/time-zone.ts')),
  ...(await import('../src/surveys/import-rescue-file.ts')),
  ...(await import('../src/users/commands.ts')),
});

const program = define('surveys', 'Import interviews that their interviewer can no longer send.');
examples(
  program,
  'surveys -- import interviews-2026-11-21.json --dry-run',
  'surveys -- import interviews-2026-11-21.json --owner +12065550123',
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
setAction<Options, [string]>(withDryRun(withJson(reads)), async ({ owner: named }, around, path) => {
  const {
    findUserEvenDeleted,
    importRescued,
    readUpload,
    requireFileOwner,
    requireRescueFile,
    studyTimeZone,
  } = await load();
  const { config, now, dryRun, say } = around;
  const file = requireRescueFile(await readUpload(pathOf(path), MAX_RESCUE_BYTES));
  const name = named ?? file.owner;
  if (!name) throw wrongArgument("The file doesn't name the interviewer. Use --owner.");
  const owner = await findUserEvenDeleted({ name, region: config.defaultRegion });
  const id = owner._id.toHexString();
  await requireFileOwner(file, owner);
  const bar = progress('Interviews');
  const unexpected = (error: unknown) => say(`An interview failed: ${String(error)}`);
  const { identityKey } = config;
  const importing = {
    owner,
    now,
    zone: await studyTimeZone(config),
    identityKey,
    step: bar.step,
    unexpected,
  };
  const reports = await importRescued(file, importing).finally(bar.end);
  const whose = `${owner.firstName} ${owner.lastName} (${id}${owner.deletedAt ? ', deleted' : ''})`;
  const lines = [`Interviews of ${whose}:`, ...reports.map(lineOf), sumOf(reports, dryRun), ...leftOut(file)];
  const json = { owner: id, reports, drafts: file.drafts, broken: file.broken };
  const good = file.broken === 0 && reports.every(({ result }) => result !== 'refused');
  if (!good) throw new Refused(lines.join('\n'), json);
  return { text: lines.join('\n'), json };
});

function lineOf({ clientId, heldAt, result, message, couponsToAdd }: InterviewReport): string {
  const late =
    couponsToAdd.length > 0
      ? `; coupons handed out later, to be added by hand: ${couponsToAdd.join(', ')}`
      : '';
  return `${clientId}, interview date ${heldAt ?? 'unknown'}: ${result}${message ? ` (${message})` : ''}${late}`;
}

function sumOf(reports: InterviewReport[], dryRun: boolean): string {
  const count = (result: InterviewReport['result']) => reports.filter((one) => one.result === result).length;
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

await run(program);
