/**
 * Runs one command after another in a process that has the service loaded: what `test/scripts/kit.ts` asks for. Each
 * has its own arguments and environment, and a module of its own; what lies below it is loaded once.
 */
import { pathToFileURL } from 'node:url';

const SIGNALS = ['SIGINT', 'SIGTERM'];
let runs = 0;

async function run({ file, args, env }) {
  const said = { out: '', err: '' };
  const [write, writeError] = [process.stdout.write, process.stderr.write];
  const hear = (name) => (chunk, encoding, done) => {
    said[name] += String(chunk);
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
  process.stdout.write = hear('out');
  process.stderr.write = hear('err');
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, file, ...args];
  process.exitCode = undefined;
  runs += 1;
  let failure = null;
  try {
    await import(`${pathToFileURL(file)}?run=${runs}`);
  } catch (error) {
    failure = String(error?.stack ?? error);
  }
  process.stdout.write = write;
  process.stderr.write = writeError;
  for (const name of SIGNALS) process.removeAllListeners(name);
  process.send({
    code: failure ? 1 : (process.exitCode ?? 0),
    out: said.out,
    err: said.err + (failure ?? ''),
  });
}

process.on('message', (asked) => void run(asked));
// Its tests are over.
process.on('disconnect', () => process.exit());
