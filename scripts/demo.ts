/** npm run demo: a study with data, to try the service out. */
import { pino } from 'pino';
import { define, examples, progress, run, setAction, table, wholeNumber } from './command.ts';
import type { Demo } from './simulate/demo.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = () => import('./simulate/demo.ts');

interface Options {
  respondents: number;
  days: number;
  port?: number;
}

const program = define(
  'demo',
  'Simulate three weeks of a study that goes on, then serve it on this machine. All data is made up, stored in DATA_DIR/demo and created again at each start.',
)
  .option('--respondents <number>', 'interviews', wholeNumber(10, 10_000), 600)
  .option('--days <number>', 'days of fieldwork, ending today', wholeNumber(1, 365), 21)
  .option('--port <port>', 'port of the service (default: PORT)', wholeNumber(1, 65_535));
examples(program, 'demo', 'demo -- --port 8080');

setAction<Options>(
  program,
  async (options, { config, signal, say }) => {
    const bar = progress('Interviews');
    say(`Simulating ${options.days} days of fieldwork...`);
    const { DEMO_CODE, runDemo } = await load();
    const { respondents, days, port = config.port } = options;
    const onReady = (demo: Demo) => {
      bar.end();
      process.stdout.write(`${welcome(demo, DEMO_CODE)}\n`);
    };
    const onStep = (count: number) => bar.step(count, respondents);
    const log = pino({ level: 'error' });
    const notices = { info: say, warn: say };
    await runDemo(config, { respondents, days, port }, { log, notices, signal, onStep, onReady }).finally(
      bar.end,
    );
    return { text: 'Stopped.', json: null };
  },
  { raw: true, ownEnd: true },
);

function welcome({ url, signIns, simulation }: Demo, code: string): string {
  const rows = signIns.map(({ role, name, phone }) => [role, name, phone, code]);
  return [
    `The demo is up: ${url}   (${simulation.outcome.interviews} interviews in this year's round)`,
    `Results:        ${url}/desk/results`,
    `Documentation:  ${url}/documentation`,
    '',
    table(['SIGN IN AS', 'NAME', 'PHONE', 'CODE'], rows, ''),
    '',
    'Sign in with one of these phone numbers. The code is always the same. Press Ctrl-C to stop the demo.',
  ].join('\n');
}

await run(program);
