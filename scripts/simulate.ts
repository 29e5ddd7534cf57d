/** npm run simulate: plays a study through the HTTP API, on a hidden population that it knows all about. */
import { InvalidArgumentError } from 'commander';
import {
  type Answer,
  define,
  examples,
  progress,
  run,
  type Surroundings,
  setAction,
  wholeNumber,
  withJson,
  wrongArgument,
} from './command.ts';
import type { StudyPlan } from './simulate/study.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/lib/day.ts')),
  ...(await import('../src/study/zone.ts')),
  ...(await import('./simulate/client.ts')),
  ...(await import('./simulate/estimates.ts')),
  ...(await import('./simulate/own-study.ts')),
  ...(await import('./simulate/study.ts')),
  ...(await import('./simulate/summary.ts')),
});

interface Options {
  population: number;
  seeds: number;
  respondents: number;
  days: number;
  randomSeed: string;
  degree: number;
  prevalence: number;
  homophily: number;
  offline: number;
  url?: string;
  token?: string[];
}

const share = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
};
const several = (text: string, before: string[] = []) => [...before, text];

const program = define(
  'simulate',
  'Plays a study through the HTTP API: a team, a hidden population, coupons, devices without network. Prints the truth that it hid, and what the study would say of it. Needs an empty database (set DATA_DIR to a new folder), or a running service by --url.',
)
  .option('--population <people>', 'size of the hidden population', wholeNumber(10, 1_000_000), 10_000)
  .option('--seeds <number>', 'seeds at the start', wholeNumber(1, 1000), 8)
  .option('--respondents <number>', 'interviews to hold', wholeNumber(1, 100_000), 500)
  .option('--days <number>', 'days in the field, the last of them yesterday', wholeNumber(1, 365), 14)
  .option('--random-seed <text>', 'the same one gives the same tree and answers', '42')
  .option('--degree <people>', 'how many others a person knows (median)', wholeNumber(1, 150), 10)
  .option('--prevalence <share>', 'share of the population that speaks Spanish', share, 0.3)
  .option('--homophily <share>', 'share of ties made within a language on purpose', share, 0.4)
  .option('--offline <share>', 'share of days on which a device has no network', share, 0.2)
  .option('--url <url>', 'play against this running service, at its own clock')
  .option('--token <jwt>', 'of an account of that service that plays; may be repeated', several);
examples(
  withJson(program),
  'simulate -- --population 10000 --seeds 8 --respondents 500 --days 14 --random-seed 42',
  'simulate -- --url http://localhost:3000 --token eyJhbGciOi... --respondents 100',
);

async function toPlan(options: Options, now: Date, zone: string): Promise<StudyPlan> {
  const { dayOf } = await load();
  // A day that is over, so that it makes no difference at what hour the simulation is run.
  const end = new Date(dayOf(now, zone).start.getTime() - 1);
  return { ...options, size: options.population, end, zone };
}

// Whether a database is needed is known from the arguments alone.
const remote = process.argv.some((argument) => /^--url(=|$)/.test(argument));
setAction<Options>(program, (options, around) => (remote ? there(options, around) : here(options, around)), {
  raw: remote,
});

async function there(options: Options, around: Surroundings): Promise<Answer> {
  const { clientOf, crewOf, estimatesOf, playStudy, summaryOf } = await load();
  const { url = '', token = [] } = options;
  if (!URL.canParse(url)) throw wrongArgument('--url must be an address such as http://localhost:3000.');
  if (token.length === 0) throw wrongArgument('--url needs at least one --token.');
  const bar = progress('Interviews');
  const client = clientOf(url.replace(/\/+$/, ''));
  const played = await playStudy(
    await toPlan(options, around.now, around.config.timeZone),
    () => crewOf(client, token),
    (held) => bar.step(held, options.respondents),
  ).finally(bar.end);
  return summaryOf(played, options.respondents, await estimatesOf(client, token, played.truth));
}

async function here(options: Options, around: Surroundings): Promise<() => Answer> {
  const { ownEstimates, ownSample, playOwnStudy, summaryOf, zoneOf } = await load();
  const bar = progress('Interviews');
  const plan = await toPlan(options, around.now, await zoneOf(around.config));
  const played = await playOwnStudy(around.config, plan, (held) =>
    bar.step(held, options.respondents),
  ).finally(bar.end);
  const sample = await ownSample(played.truth, plan.zone, around.now);
  return () => summaryOf(played, options.respondents, ownEstimates(played.truth, sample));
}

await run(program);
