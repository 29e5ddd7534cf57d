/** npm run backup: everything, as it is at one instant, in one file. */
import {
  define,
  examples,
  mayWrite,
  outputOf,
  progress,
  run,
  setAction,
  sizeOf,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = () => import('./backup/make.ts');

const program = define(
  'backup',
  'Write all data, as of one moment, to one file. The service can keep running.',
)
  .requiredOption('--out <file>', 'the file to write, or - for standard output; keep it safe')
  .option('--force', 'replace the file if it exists');
examples(withJson(program), 'backup -- --out study.archive');

setAction<{ out: string; force?: boolean }>(program, async ({ out, force }, { now }) => {
  const { makeBackup } = await load();
  const path = outputOf(out);
  mayWrite(path, force === true);
  const bar = progress('Records');
  const { collections, bytes } = await makeBackup(path, now, bar.step).finally(bar.end);
  const lines = collections.map(({ name, count }) => `${String(count).padStart(9)}  ${name}`);
  lines.push(`Wrote ${sizeOf(bytes)} to ${path}`);
  return { text: lines.join('\n'), json: { out: path, madeAt: now, bytes, collections } };
});

await run(program);
