/** npm run backup: writes all data, as of one instant, to one file. */
import {
  defaultOutput,
  define,
  examples,
  outputOf,
  progress,
  run,
  setAction,
  sizeOf,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('./backup/make.ts')),
  ...(await import('../src/platform/db/last-backup.ts')),
});

const program = define(
  'backup',
  'Write all data, as of one moment, to one file. The service can keep running.',
)
  .option(
    '--out <file>',
    'the file to write, or - for standard output; keep it safe (default: backup-DATE.archive)',
  )
  .option('--recipient <key>', 'age public key to encrypt it for (default: BACKUP_RECIPIENT)')
  .option('--force', 'replace the file if it exists');
examples(
  withJson(program),
  'backup',
  'backup -- --out study.archive',
  'backup -- --out study.archive --recipient age1…',
);

interface Options {
  out?: string;
  recipient?: string;
  force?: boolean;
}

setAction<Options>(
  program,
  async ({ out, recipient: ownRecipient }, { config, now, deliver }) => {
    const { makeBackup, recordBackup } = await load();
    const path = outputOf(out ?? defaultOutput('backup', '.archive'));
    const recipient = ownRecipient ?? config.backupRecipient;
    const bar = progress('Records');
    const { collections, bytes } = await makeBackup(path, now, bar.step, recipient).finally(bar.end);
    await deliver();
    await recordBackup(now, bytes);
    const lines = collections.map(({ name, count }) => `${String(count).padStart(9)}  ${name}`);
    lines.push(`Wrote ${sizeOf(bytes)} to ${path}${recipient ? `, encrypted for ${recipient}` : ''}`);
    return {
      text: lines.join('\n'),
      json: { out: path, madeAt: now, bytes, encrypted: recipient !== undefined, collections },
    };
  },
  { outputs: ({ out }) => (out === undefined ? [] : [out]) },
);

await run(program);
