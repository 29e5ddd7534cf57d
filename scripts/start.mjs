/** `npm start`: makes ready what is missing, then runs the service in this process, so that signals reach it. */
import { ensure } from './ensure.mjs';

try {
  await ensure();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
await import('../dist/src/main.js');
