/** `npm start`: prepares whatever is missing, then runs the service in this process, so that it receives signals. */
import { ensure, say } from './ensure.mjs';

const [line] = process.versions.node.split('.').map(Number);
if (line < 22) say(`Node ${line} has had no security fixes since April 2026: use 22 or 24.`, 40);
try {
  await ensure();
} catch (error) {
  say(error.message, 60);
  process.exit(1);
}
await import('../dist/src/main.js');
