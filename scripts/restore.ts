/** npm run restore: puts a backup into the database. */
import { checkBackup, requireEmpty, restoreBackup } from '../src/backup/restore.ts';
import { prepareDatabase } from '../src/db/prepare.ts';
import { define, does, examples, pathOf, progress, run, withDryRun, withJson } from './command.ts';

const program = define('restore', 'Checks a backup from end to end, then puts it into an empty database.')
  .requiredOption('--from <file>', 'what npm run backup has written')
  .option('--force', 'replace everything that is in the database');
examples(
  withDryRun(withJson(program)),
  'restore -- --from study.archive --dry-run',
  'restore -- --from study.archive',
);

does<{ from: string; force?: boolean }>(
  program,
  async ({ from, force }, { now, dryRun }) => {
    const path = pathOf(from);
    const checking = progress('Checking');
    const checked = await checkBackup(path, checking.step).finally(checking.end);
    if (force !== true) await requireEmpty();
    if (!dryRun) {
      const bar = progress('Records');
      await restoreBackup(path, checked, bar.step).finally(bar.end);
      await prepareDatabase(now);
    }
    const { madeAt, collections } = checked;
    const lines = collections.map(({ name, count }) => `${String(count).padStart(9)}  ${name}`);
    const verb = dryRun ? 'Good, and not restored (--dry-run)' : 'Restored';
    lines.push(`${verb}: the backup of ${madeAt.toISOString()}`);
    return { text: lines.join('\n'), json: { from: path, madeAt, collections } };
  },
  { prepare: false },
);

await run(program);
