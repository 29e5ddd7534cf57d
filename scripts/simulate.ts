/** npm run simulate: simulates a study through the HTTP API, in a hidden population whose true values are known. */
import { InvalidArgumentError } from 'commander';
import {
  type CommandContext,
  type CommandResult,
  define,
  examples,
  progress,
  run,
  setAction,
  wholeNumber,
  withJson,
} from './command.ts';
import type { QualityReport } from './simulate/quality.ts';
import type { StudyPlan } from './simulate/study.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/platform/lib/day.ts')),
  ...(await import('../src/study/settings/time-zone.ts')),
  ...(await import('./simulate/client.ts')),
  ...(await import('./simulate/estimates.ts')),
  ...(await import('./simulate/quality.ts')),
  ...(await import('./simulate/simulate-here.ts')),
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
  fabricators: number;
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
  "Simulate a study through the HTTP API: a team, a hidden population, coupons and offline devices. Prints the true values and the study's estimates. Needs an empty database (set DATA_DIR to a new folder), or a running service by --url.",
)
  .option('--population <people>', 'size of the hidden population', wholeNumber(10, 1_000_000), 10_000)
  .option('--seeds <number>', 'seeds at the start', wholeNumber(1, 1000), 8)
  .option('--respondents <number>', 'interviews to do', wholeNumber(1, 100_000), 500)
  .option('--days <number>', 'days of fieldwork, ending yesterday', wholeNumber(1, 365), 14)
  .option('--random-seed <text>', 'the same seed gives the same tree and answers', '42')
  .option('--degree <people>', 'how many others a person knows (median)', wholeNumber(1, 150), 10)
  .option('--prevalence <share>', 'share of the population that speaks Spanish', share, 0.3)
  .option('--homophily <share>', 'share of ties made within a language on purpose', share, 0.4)
  .option('--offline <share>', 'share of days a device is offline', share, 0.2)
  .option(
    '--fabricators <people>',
    'interviewers who make interviews up (careless and careful ones in turn); prints how many the quality checks find',
    wholeNumber(0, 100),
    0,
  )
  .option('--url <url>', 'use this running service and its clock')
  .option('--token <jwt>', 'token of an account on that service (repeatable)', several);
examples(
  withJson(program),
  'simulate -- --population 10000 --seeds 8 --respondents 500 --days 14 --random-seed 42',
  'simulate -- --url http://localhost:3000 --token eyJhbGciOi... --respondents 100',
);

async function toPlan(options: Options, now: Date, zone: string): Promise<StudyPlan> {
  const { dayBoundsAt } = await load();
  // A day that is over, so that it makes no difference at what hour the simulation is run.
  const end = new Date(dayBoundsAt(now, zone).start.getTime() - 1);
  return { ...options, size: options.population, end, zone };
}

// Whether a database is needed is known from the arguments alone.
const remote = process.argv.some((argument) => /^--url(=|$)/.test(argument));
setAction<Options>(
  program,
  (options, context) => (remote ? there(options, context) : here(options, context)),
  {
    raw: remote,
    check: ({ url, token = [], fabricators }) =>
      remote
        ? [
            ...(URL.canParse(url ?? '') ? [] : ['--url must be an address such as http://localhost:3000.']),
            ...(fabricators > 0 ? ['--fabricators needs a service of its own, without --url.'] : []),
            ...(token.length === 0 ? ['--url needs at least one --token.'] : []),
          ]
        : token.length > 0
          ? ['--token needs --url.']
          : [],
  },
);

async function there(options: Options, context: CommandContext): Promise<CommandResult> {
  const { createClient, fieldTeamOf, estimatesOf, simulateStudy, formatSummary } = await load();
  const { url = '', token = [] } = options;
  const bar = progress('Interviews');
  const client = createClient(url.replace(/\/+$/, ''));
  const simulation = await simulateStudy(
    await toPlan(options, context.now, context.config.timeZone),
    await fieldTeamOf(client, token),
    (interviews) => bar.step(interviews, options.respondents),
  ).finally(bar.end);
  return formatSummary(simulation, options.respondents, await estimatesOf(client, token, simulation.truth));
}

async function here(options: Options, context: CommandContext): Promise<() => CommandResult> {
  const { ownEstimates, ownSample, qualityOf, simulateInOwnService, formatSummary, studyTimeZone } =
    await load();
  const bar = progress('Interviews');
  let quality: QualityReport | null = null;
  const plan = await toPlan(options, context.now, await studyTimeZone(context.config));
  const onStep = (interviews: number) => bar.step(interviews, options.respondents);
  const simulation = await simulateInOwnService(
    context.config,
    plan,
    onStep,
    async ({ client, team, madeUp }) => {
      if (madeUp.size > 0) quality = await qualityOf(client, team.root.token, madeUp);
    },
  ).finally(bar.end);
  const sample = await ownSample(simulation.truth, plan.zone, context.now);
  return () =>
    formatSummary(simulation, options.respondents, ownEstimates(simulation.truth, sample), quality);
}

await run(program);
