/**
 * `npm run users -- list` is `node scripts/run.mjs users list`: prepares whatever is missing, then runs the command in
 * this process, so that it receives signals.
 */
import module from 'node:module';
import { ensure } from './ensure.mjs';

// Node 20 has none.
module.enableCompileCache?.();

const [name, ...args] = process.argv.slice(2);
try {
  // Of all commands only the demo shows the client.
  await ensure({ client: name === 'demo' });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.argv = [process.argv[0], name, ...args];
await import(`../dist/scripts/${name}.js`);
