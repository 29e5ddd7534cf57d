/** npm run restore: restores a backup into the database. */
import type { Decrypter } from 'age-encryption';
import type { CollectionCount } from '../src/operations/backup/collections.ts';
import type { Checked } from './backup/restore.ts';
import {
  type CommandContext,
  define,
  examples,
  pathOf,
  progress,
  run,
  setAction,
  withDryRun,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/operations/backup/collections.ts')),
  ...(await import('./backup/alone.ts')),
  ...(await import('./backup/encryption.ts')),
  ...(await import('./backup/restore.ts')),
});

const FORCE_HINT = '--force replaces everything in it.';

const program = define('restore', 'Check a complete backup, then restore it into an empty database.')
  .requiredOption('--from <file>', 'backup file written by npm run backup')
  .option('--identity <file>', 'file of the age secret key, for an encrypted backup')
  .option('--force', 'replace everything in the database');
examples(
  withDryRun(withJson(program)),
  'restore -- --from study.archive --dry-run',
  'restore -- --from study.archive',
  'restore -- --from study.archive --identity backup.key',
);

setAction<{ from: string; identity?: string; force?: boolean }>(
  program,
  async ({ from, identity, force = false }, context) => {
    const { checkBackup, decrypterOf } = await load();
    const path = pathOf(from);
    const decrypter = identity === undefined ? undefined : await decrypterOf(pathOf(identity));
    const checking = progress('Checking');
    const checked = await checkBackup(path, checking.step, decrypter).finally(checking.end);
    const { madeAt, collections } = checked;
    const lines = collections.map(({ name, count }) => `${String(count).padStart(9)}  ${name}`);
    const json = { from: path, madeAt, collections };
    if (context.dryRun) {
      const rehearsed = await tryOut(force);
      lines.push(
        `The backup is valid. Not restored (--dry-run): backup of ${madeAt.toISOString()}`,
        ...rehearsed.lines,
      );
      return {
        text: lines.join('\n'),
        json: { ...json, restored: false, inTheWay: rehearsed.inTheWay, replaced: [] },
      };
    }
    const replaced = await restore(path, checked, { force, decrypter, ...context });
    lines.push(`Restored the backup of ${madeAt.toISOString()}`);
    return { text: lines.join('\n'), json: { ...json, restored: true, inTheWay: [], replaced } };
  },
  { prepare: false, inputs: ({ from, identity }) => (identity === undefined ? [from] : [from, identity]) },
);

/** What would be in the way, or be lost. */
async function tryOut(force: boolean): Promise<{ inTheWay: string[]; lines: string[] }> {
  const {
    countByCollection: countWork,
    describeRunningServices: describeAtWork,
    notEmpty,
    occupiedCollections: occupied,
  } = await load();
  const service = await describeAtWork('service');
  const lines = service ? [`${service} Stop it before you restore.`] : [];
  if (force) return { inTheWay: [], lines: [...lines, ...losses(await countWork(), 'would be replaced')] };
  const inTheWay = await occupied();
  if (inTheWay.length > 0)
    lines.push(
      `${notEmpty(inTheWay)} To restore, empty the database first, or use --force to replace everything in it.`,
    );
  return { inTheWay, lines };
}

async function restore(
  path: string,
  checked: Checked,
  { force, decrypter, now, say }: CommandContext & { force: boolean; decrypter: Decrypter | undefined },
): Promise<CollectionCount[]> {
  const { runExclusively: alone, countByCollection: countWork, requireEmpty, restoreBackup } = await load();
  return await alone({ now, force }, async (stillAlone) => {
    if (!force) await requireEmpty(FORCE_HINT);
    // Counted when nobody writes any more: what was acknowledged until now is in it.
    const replaced = await countWork();
    for (const line of losses(replaced, 'will be replaced')) say(line);
    const bar = progress('Records');
    const mayReplace = async () => {
      await stillAlone();
      if (!force) await requireEmpty(FORCE_HINT);
    };
    const restoring = { now, onProgress: bar.step, mayReplace, decrypter };
    await restoreBackup(path, checked, restoring).finally(bar.end);
    return replaced;
  });
}

function losses(counts: CollectionCount[], verb: string): string[] {
  if (counts.length === 0) return [];
  const list = counts.map(({ name, count }) => `${count} ${name}`).join(', ');
  return [`Everything in the database ${verb}. Anything not in the backup is lost: ${list}.`];
}

await run(program);
