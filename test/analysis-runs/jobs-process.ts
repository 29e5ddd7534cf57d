/** A process that works on runs, as the service does: `jobs-process.ts URI DATABASE`. */
import pino from 'pino';

/** The built service starts in a third of the time. */
const [src, ext] = process.env.TEST_BUILT === '1' ? ['../../dist/src', 'js'] : ['../../src', 'ts'];
const { startJobs }: typeof import('../../src/statistics/runs/jobs.ts') = await import(
  `${src}/statistics/runs/jobs.${ext}`
);
const { connect, disconnect }: typeof import('../../src/platform/db/connect.ts') = await import(
  `${src}/platform/db/connect.${ext}`
);

const [uri = '', database = ''] = process.argv.slice(2);
await connect(uri, database);
const log = pino({ level: 'info' }, pino.destination(2));
const timing = { holdMs: 2_000, pollMs: 200, threads: 1 };
const jobs = startJobs({ timeZone: 'America/Los_Angeles', secret: 'any', log }, timing);
const end = async () => {
  await jobs.stop();
  await disconnect();
  process.exit(0);
};
process.on('SIGTERM', () => void end());
process.send?.('open');
