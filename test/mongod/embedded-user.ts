/** A process that uses the database under DATA_DIR until its standard input ends; tests kill it. */
import { startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded.ts';

const log = { info: () => {}, warn: (text: string) => console.error(text) };
const embedded = await startEmbeddedDatabase({
  dataDir: process.env.DATA_DIR ?? '',
  binary: process.env.TEST_MONGOD_BINARY,
  log,
});
console.log(embedded.uri);
process.stdin.on('end', () => void embedded.stop().then(() => process.exit(0))).resume();
