/** npm run restore: puts a backup into the database. */
import { occupied } from '../src/backup/collections.ts';
import { checkBackup, notEmpty, requireEmpty, restoreBackup } from '../src/backup/restore.ts';
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
    const inTheWay = dryRun && force !== true ? await occupied() : [];
    if (!dryRun) {
      if (force !== true) await requireEmpty('--force replaces all that is in it.');
      const bar = progress('Records');
      await restoreBackup(path, checked, bar.step).finally(bar.end);
      await prepareDatabase(now);
    }
    const { madeAt, collections } = checked;
    const lines = collections.map(({ name, count }) => `${String(count).padStart(9)}  ${name}`);
    const verb = dryRun ? 'Good, and not restored (--dry-run)' : 'Restored';
    lines.push(`${verb}: the backup of ${madeAt.toISOString()}`);
    if (inTheWay.length > 0) {
      lines.push(
        `${notEmpty(inTheWay)} To restore for real, empty it, or say --force to replace all that is in it.`,
      );
    }
    return { text: lines.join('\n'), json: { from: path, madeAt, collections, restored: !dryRun, inTheWay } };
  },
  { prepare: false },
);

await run(program);
