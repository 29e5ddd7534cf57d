/** npm run simulate: plays a study through the HTTP API, on a hidden population that it knows all about. */
import { InvalidArgumentError } from 'commander';
import { dayOf } from '../src/lib/day.ts';
import { zoneOf } from '../src/study/zone.ts';
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
import { figures, percent } from './figures.ts';
import { clientOf } from './simulate/client.ts';
import { type Beside, besideTheTruth, estimatesOf, ownEstimates, ownSample } from './simulate/estimates.ts';
import { playOwnStudy } from './simulate/own-study.ts';
import { crewOf, type Played, playStudy, type StudyPlan, whyFewer } from './simulate/study.ts';

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

const toPlan = (options: Options, now: Date, zone: string): StudyPlan => ({
  ...options,
  size: options.population,
  // A day that is over, so that it makes no difference at what hour the simulation is run.
  end: new Date(dayOf(now, zone).start.getTime() - 1),
  zone,
});

// Whether a database is needed is known from the arguments alone.
const remote = process.argv.some((argument) => /^--url(=|$)/.test(argument));
setAction<Options>(program, (options, around) => (remote ? there(options, around) : here(options, around)), {
  raw: remote,
});

async function there(options: Options, around: Surroundings): Promise<Answer> {
  const { url = '', token = [] } = options;
  if (!URL.canParse(url)) throw wrongArgument('--url must be an address such as http://localhost:3000.');
  if (token.length === 0) throw wrongArgument('--url needs at least one --token.');
  const bar = progress('Interviews');
  const client = clientOf(url.replace(/\/+$/, ''));
  const played = await playStudy(
    toPlan(options, around.now, around.config.timeZone),
    () => crewOf(client, token),
    (held) => bar.step(held, options.respondents),
  ).finally(bar.end);
  return summaryOf(played, options.respondents, await estimatesOf(client, token, played.truth));
}

async function here(options: Options, around: Surroundings): Promise<() => Answer> {
  const bar = progress('Interviews');
  const plan = toPlan(options, around.now, await zoneOf(around.config));
  const played = await playOwnStudy(around.config, plan, (held) =>
    bar.step(held, options.respondents),
  ).finally(bar.end);
  const sample = await ownSample(played.truth, plan.zone, around.now);
  return () => summaryOf(played, options.respondents, ownEstimates(played.truth, sample));
}

function summaryOf(
  { truth, outcome, requests, seconds }: Played,
  wanted: number,
  estimates: Beside[] | string,
): Answer {
  const { degree, traits } = truth;
  const rate = { requests, seconds, requestsPerSecond: requests / seconds };
  const flags = Object.entries(outcome.flags).map(([code, count]) => `${count} ${code}`);
  const fewer = whyFewer(outcome, wanted);
  const lines = [
    ...(fewer ? [fewer] : []),
    `Interviews: ${outcome.interviews}, of them ${outcome.heldOffline} held without network,`,
    `${outcome.walkIns} walk-ins, ${outcome.declined} declined.`,
    `Seeds: ${outcome.seeds}. Turned away: ${outcome.turnedAway}. Flags: ${flags.join(', ') || 'none'}.`,
    `Rate: ${requests} requests one after the other in ${seconds.toFixed(1)} s, ${rate.requestsPerSecond.toFixed(0)} a second.`,
    '',
    `The truth, which no interviewer saw: ${truth.people} people with ${truth.ties} ties.`,
    `A person knows ${degree.mean.toFixed(1)} on average, half of them at most ${degree.median}, none over ${degree.largest}.`,
    figures(
      ['', '% of all', 'know on average', 'homophily'],
      traits.map((one) => [
        `${one.question} = ${one.answer}`,
        percent(one.share),
        one.meanDegree.toFixed(1),
        one.homophily.toFixed(2),
      ]),
    ),
    '',
    ...inWords(estimates),
  ];
  return {
    text: lines.join('\n'),
    json: { outcome, fewer, rate, truth, estimates: typeof estimates === 'string' ? null : estimates },
  };
}

function inWords(estimates: Beside[] | string): string[] {
  if (typeof estimates === 'string') return [`What the study would say of it: ${estimates}`];
  const hasIntervals = estimates.some(({ low }) => low !== null);
  return [
    'What the study would say of it; SS knows the number of people:',
    besideTheTruth(estimates),
    ...(hasIntervals ? ['Interval: tree bootstrap of RDS-II, which holds the truth in most studies.'] : []),
  ];
}

await run(program);
