/** npm run surveys: interviews of someone who can't send them any more. */
import type { InterviewReport } from '../src/surveys/operate.ts';
import { RESCUE_BYTES } from '../src/surveys/rescue-file.ts';
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
  ...(await import('../src/http/list-file.ts')),
  ...(await import('../src/study/zone.ts')),
  ...(await import('../src/surveys/operate.ts')),
  ...(await import('../src/users/operate.ts')),
});

const program = define('surveys', 'Store interviews that the one who held them cannot send any more.');
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
  'who held them: an id or a phone, of a deleted account too; without it, whoever the file names',
);
examples(reads, 'surveys -- import interviews-2026-11-21.json --dry-run');
reads.addHelpText(
  'after',
  "\nThe interviews become their owner's, whatever has become of the account, with the coupons that were handed out.\n" +
    'The same file again changes nothing. Ends with 1 where an interview was refused; the others are stored.',
);
setAction<Options, [string]>(withDryRun(withJson(reads)), async ({ owner: named }, around, path) => {
  const { findAnyone, importRescued, readList, requireOwner, rescueOf, zoneOf } = await load();
  const { config, now, dryRun, say } = around;
  const file = rescueOf(await readList(pathOf(path), RESCUE_BYTES));
  const name = named ?? file.owner;
  if (!name) throw wrongArgument('The file does not say whose interviews it has: say it with --owner.');
  const owner = await findAnyone({ name, region: config.defaultRegion });
  const id = owner._id.toHexString();
  await requireOwner(file, owner);
  const bar = progress('Interviews');
  const unexpected = (error: unknown) => say(`An interview failed: ${String(error)}`);
  const { identityKey } = config;
  const importing = { owner, now, zone: await zoneOf(config), identityKey, step: bar.step, unexpected };
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
    couponsToAdd.length > 0 ? `; handed over later, add to it by hand: ${couponsToAdd.join(', ')}` : '';
  return `${clientId}, held ${heldAt ?? 'at an unknown time'}: ${result}${message ? ` (${message})` : ''}${late}`;
}

function sumOf(reports: InterviewReport[], dryRun: boolean): string {
  const count = (result: InterviewReport['result']) => reports.filter((one) => one.result === result).length;
  const sum = `${count('stored')} stored, ${count('there already')} there already, ${count('refused')} refused`;
  return `${sum}${dryRun ? ' (not done: --dry-run)' : ''}`;
}

function leftOut({ drafts, broken }: { drafts: number; broken: number }): string[] {
  const lines: string[] = [];
  if (drafts > 0)
    lines.push(`Left out: ${drafts} not finished; only the owner's app can go on with what is not finished.`);
  if (broken > 0) lines.push(`Left out: ${broken} that cannot be read.`);
  return lines;
}

await run(program);
