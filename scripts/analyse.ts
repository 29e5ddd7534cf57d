/** npm run analyse: population estimates, from a file without a database, or from the study's own sample. */
import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { SiteShares, StatedSitePopulation } from '../src/statistics/change/site-shares.ts';
import type { CategoryOutcome, OutcomeAnswers } from '../src/statistics/estimators/outcome.ts';
import type { Estimator, ReplicateMethod } from '../src/statistics/estimators/results.ts';
import type { Sample } from '../src/statistics/estimators/sample/sample.ts';
import {
  BrokenSample,
  parseSampleFile,
  type SampleFromFile,
  type VariableKind,
} from '../src/statistics/estimators/sample/sample-file.ts';
import type { LoadedOutcome } from '../src/statistics/sample/sample.ts';
import {
  type CommandContext,
  type CommandResult,
  define,
  examples,
  pathOf,
  run,
  setAction,
  wholeNumber,
  withJson,
  wrongArgument,
} from './command.ts';
import { type EstimateQuery, formatEstimates } from './format-estimates.ts';
import type { Change } from './sample-change.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/statistics/estimators/results.ts')),
  ...(await import('./sample-warnings.ts')),
  ...(await import('./sample-change.ts')),
  ...(await import('./count-tables.ts')),
  ...(await import('../src/statistics/change/site-shares.ts')),
  ...(await import('../src/study/rounds/requested.ts')),
  ...(await import('../src/statistics/sample/sites.ts')),
  ...(await import('../src/exports/sample/checked-sample.ts')),
  ...(await import('../src/statistics/sample/catalog.ts')),
  ...(await import('../src/statistics/sample/versions.ts')),
  ...(await import('../src/study/settings/model.ts')),
  ...(await import('../src/study/settings/time-zone.ts')),
});

interface Options {
  from?: string;
  outcome?: string[];
  kind?: VariableKind;
  populationSize?: number;
  estimator: Estimator | 'all';
  method?: ReplicateMethod;
  samples: number;
  confidence: number;
  randomSeed: number;
  id: string;
  recruiter: string;
  size: string;
  time?: string;
  site?: string;
  siteSizes?: StatedSitePopulation[];
  round?: string;
  changeFrom?: string;
  count?: string;
}

const MAX_FILE_BYTES = 256e6;

const program = define(
  'analyse',
  "Estimates shares or means of the population: RDS-I, RDS-II, successive sampling (SS, with a population size), and intervals by a bootstrap (with --method). Of the study's own interviews; or with --from of a file, a CSV with a row for each respondent or one in the format of RDSAT, for which no database is needed.",
)
  .option('--from <file>', "read this file (nothing is stored); default: the study's own interviews")
  .option('--outcome <name...>', 'one or more columns to estimate; without it, lists those that there are')
  .addOption(
    new Option(
      '--kind <kind>',
      'type of the outcome; by default a number if it has more than 10 different values, all of them numbers',
    ).choices(['category', 'number']),
  )
  .option(
    '--population-size <people>',
    "how many people the population has; without --from the study's own figure by default",
    wholeNumber(1, 1_000_000_000),
  )
  .addOption(
    new Option('--estimator <name>', 'which estimates to show')
      .choices(['all', 'rds1', 'rds2', 'ss', 'mean'])
      .default('all'),
  )
  .addOption(
    new Option('--method <name>', 'bootstrap method for the intervals').choices([
      'chain',
      'tree',
      'gile',
      'salganik',
    ]),
  )
  .option('--site <column>', 'column that says where people live or slept, for --method chain')
  .option(
    '--site-sizes <site=people...>',
    'how many people belong to each site, for estimates standardized to sites (without --from the study’s own)',
    siteSize,
  )
  .option('--round <name>', 'this round of the study (default: the open one, otherwise the latest)')
  .option(
    '--change-from <earlier>',
    'also print the change from an earlier sample: a file with the same columns, or without --from a round',
  )
  .option(
    '--count <name>',
    'print the persons, households and cells of this population count of the study instead',
  )
  .option('--samples <number>', 'bootstrap replicates', wholeNumber(2, 100_000), 1000)
  .option('--confidence <share>', 'confidence level of the intervals, 0.5 to 0.999', share, 0.95)
  .option(
    '--random-seed <number>',
    'the same seed gives the same numbers',
    wholeNumber(0, Number.MAX_SAFE_INTEGER),
    1,
  )
  .option('--id <column>', 'the respondent', 'id')
  .option(
    '--recruiter <column>',
    'column with the recruiter; one word that is not an id marks the seeds',
    'recruiter.id',
  )
  .option('--size <column>', 'network size', 'network.size')
  .option(
    '--time <column>',
    'column with the time (default: "time" if there is one, otherwise the order of rows)',
  );
examples(
  withJson(program),
  'analyse',
  'analyse -- --outcome veteran --method chain',
  'analyse -- --from rds.csv --outcome gender --population-size 3000',
  'analyse -- --from x.csv --outcome y --recruiter up --size contacts',
  'analyse -- --from rds.csv --outcome gender --method tree --samples 2000',
  'analyse -- --from x.csv --outcome y --method chain --site town --site-sizes A=300 B=90',
  'analyse -- --from 2026.csv --outcome gender --change-from 2024.csv',
  'analyse -- --count "Point in time 2027"',
);

/** The last `=` divides: names of sites can have some. */
function siteSize(text: string, before: StatedSitePopulation[] = []): StatedSitePopulation[] {
  const [, location, size] = /^(.+)=(\d+)$/s.exec(text) ?? [];
  if (location !== undefined && Number(size) >= 1 && Number(size) <= 1_000_000_000)
    return [...before, { location, size: Number(size) }];
  throw new InvalidArgumentError('It must be a site and its number of people, as in North=300.');
}

function share(text: string): number {
  const value = Number(text);
  if (value >= 0.5 && value <= 0.999) return value;
  throw new InvalidArgumentError('It must be a number from 0.5 to 0.999.');
}

const needsSize = (option: string) => `${option} needs --population-size.`;
/** The columns are those of a file; what an outcome is, the study's questionnaire says. */
const FILE_OPTIONS = ['id', 'recruiter', 'size', 'time', 'kind', 'site', 'siteSizes'];

// Whether a database is needed is known from the arguments alone.
const isFromFile = process.argv.some((argument) => /^--from(=|$)/.test(argument));
setAction<Options>(
  program,
  async (options, context) => {
    if (options.count !== undefined) return await ownCount(options.count, options, context);
    const {
      analyseSample: analyse,
      warningsFor,
      changesFrom,
      siteSharesOf,
      sitePopulationsOf: sitesWith,
    } = await load();
    const { method = null, estimator, samples, confidence, randomSeed } = options;
    const sampleOf = isFromFile ? givenBy : ownSample;
    const source = await sampleOf(options, context);
    const { changeFrom } = options;
    const earlier = changeFrom === undefined ? null : await sampleOf(earlierOf(options, source), context);
    const { dataset, sample, outcomes, names } = source;
    const populationSize = populationFor(sample.ids.length, options, source, context);
    if (method === 'gile' && populationSize === null) throw wrongArgument(needsSize('--method gile'));
    if (estimator === 'ss' && populationSize === null) throw wrongArgument(needsSize('--estimator ss'));
    for (const [name, { kind }] of Object.entries(outcomes))
      if (kind === 'NUMBER' && (method === 'gile' || method === 'salganik'))
        context.say(`${name} is a number, so it has no categories. Use --method chain or tree.`);
    const stated = new Map(source.siteSizes.map((one) => [one.location, peopleOf(one)]));
    const hasSizes = source.site?.levels.some((level) => stated.has(level)) ?? false;
    const sites = sitesWith(source.site, hasSizes ? stated : null);
    const question = {
      population: populationSize,
      randomSeed,
      method,
      samples,
      confidence,
      estimator,
      sites,
    };
    return () => {
      const results = analyse(dataset, sample, outcomes, question);
      const warnings = new Map(
        Object.entries(outcomes).map(([name, outcome]) => [name, warningsFor(sample, outcome, question)]),
      );
      for (const [name, outcomeWarnings] of warnings)
        Object.assign(results.outcomes[name] ?? {}, { warnings: outcomeWarnings });
      const changes = new Map<string, Change>();
      if (earlier) {
        const shares: SiteShares | null = siteSharesOf(
          { site: earlier.site, reportedSizes: earlier.sample.reportedSizes },
          source.site,
          source.siteSizes,
        );
        for (const [name, change] of changesFrom(earlier, source, {
          shares,
          samples,
          confidence,
          randomSeed,
        })) {
          changes.set(name, change);
          Object.assign(results.outcomes[name] ?? {}, { change });
        }
      }
      const query = { method, samples, confidence, names, warnings, changes };
      return { text: formatEstimates(results, query), json: results };
    };
  },
  {
    raw: isFromFile,
    check: ({ method, estimator, populationSize }) =>
      isFromFile
        ? [
            ...(method === 'gile' && populationSize === undefined ? [needsSize('--method gile')] : []),
            ...(estimator === 'ss' && populationSize === undefined ? [needsSize('--estimator ss')] : []),
            ...(program.getOptionValueSource('count') ? ['--count is of the study: leave out --from.'] : []),
          ]
        : FILE_OPTIONS.filter((name) => program.getOptionValueSource(name) === 'cli').map(
            (name) => `--${name} needs --from.`,
          ),
    inputs: ({ from }) => (from === undefined ? [] : [from]),
  },
);

function chooseFrom(names: string[]): never {
  throw wrongArgument(`Choose one or more with --outcome:\n${names.map((name) => `  ${name}`).join('\n')}`);
}

/** As the later sample was asked for. */
function earlierOf(options: Options, { outcomes }: EstimationInput): Options {
  const { changeFrom = '' } = options;
  const outcome = Object.keys(outcomes);
  return isFromFile ? { ...options, from: changeFrom, outcome } : { ...options, round: changeFrom, outcome };
}

const peopleOf = ({ size, low, high }: StatedSitePopulation) => ({
  size,
  low: low ?? size,
  high: high ?? size,
});

interface EstimationInput {
  dataset: string;
  /** What it is called in a sentence. */
  title: string;
  sample: Sample;
  outcomes: Record<string, OutcomeAnswers>;
  names: EstimateQuery['names'];
  /** Where people belong, and how many at each. */
  site: CategoryOutcome | null;
  siteSizes: readonly StatedSitePopulation[];
  /** As the study says. */
  populationSize: number | null;
}

/** What was asked for is refused below the sample; what the study says is only left aside. */
function populationFor(
  n: number,
  { populationSize: size }: Options,
  { populationSize: own }: EstimationInput,
  { say }: CommandContext,
): number | null {
  if (size !== undefined && size < n)
    throw new Error(`The population can't be smaller than the sample: ${size} and ${n} people.`);
  if (size !== undefined || own === null || own >= n) return size ?? own;
  say(
    `The study's population size is ${own}, which is smaller than the sample of ${n}, so there is no SS estimate.`,
  );
  return null;
}

async function givenBy(options: Options, { say }: CommandContext): Promise<EstimationInput> {
  const from = options.from ?? '';
  const file = await open(options, from);
  for (const remark of file.remarks) say(remark);
  const outcomeNames = options.outcome ?? chooseFrom(file.names);
  return {
    dataset: basename(from, extname(from)),
    title: basename(from, extname(from)),
    sample: file.sample,
    outcomes: Object.fromEntries(outcomeNames.map((name) => [name, outcomeOf(file, name, options.kind)])),
    names: new Map(),
    site: siteColumn(file, options.site),
    siteSizes: options.siteSizes ?? [],
    populationSize: null,
  };
}

async function ownCount(
  name: string,
  { round }: Options,
  { config, now }: CommandContext,
): Promise<CommandResult> {
  const { tablesOfCount, formatCount, studyTimeZone } = await load();
  const roundId = (await roundNamed(round))?.ref.id;
  const zone = await studyTimeZone(config);
  const tables = await tablesOfCount(name, { zone, now, ...(roundId && { roundId }) });
  return { text: formatCount(tables), json: tables };
}

/** Null for the one that is meant without a name. */
async function roundNamed(name: string | undefined) {
  if (name === undefined) return null;
  const rounds = await (await load()).allRounds();
  const named = rounds.find(({ round, ref }) => [round.name, ref.id].includes(name));
  if (named) return named;
  const there = rounds.map(({ round }) => round.name).join(', ');
  throw new Error(`There is no round ${name}. The study has: ${there}.`);
}

async function ownSample(options: Options, { config, now, say }: CommandContext): Promise<EstimationInput> {
  const {
    outcomeCatalogOf: catalogueOf,
    rowsStartedBeforeRecruiter: earlyStarts,
    requestedRound,
    siteMembershipOutcome: siteOutcome,
    siteMembershipOutcomeNames: siteOutcomes,
    requireSoundSample: soundSample,
    loadStudy,
    sampleVersions,
    studyTimeZone,
  } = await load();
  const settings = await loadStudy();
  const { ref: requested, round } = (await roundNamed(options.round)) ?? (await requestedRound());
  const versions = await sampleVersions({ approved: settings.approvedFormulas }, requested);
  const there = catalogueOf(versions, settings).map(({ name }) => name);
  const outcomeNames = options.outcome ?? chooseFrom(there);
  const unknown = outcomeNames.find((name) => !there.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no outcome ${unknown}. The study has: ${there.join(', ')}.`);
  const outcomesByName = Object.fromEntries(outcomeNames.map((name) => [name, name]));
  const loaded = await soundSample({
    window: { round: requested.id },
    zone: await studyTimeZone(config),
    now,
    outcomes: outcomesByName,
    optionalOutcomes: siteOutcomes(settings),
  });
  // Beside those, some came along that say where people belong.
  const requestedOutcomes = loaded.outcomes.slice(0, outcomeNames.length);
  if (loaded.ids.length === 0) throw new Error('The study has no counted interviews yet.');
  for (const { name, notAsked } of requestedOutcomes)
    if (notAsked > 0) say(`${notAsked} people were interviewed with a version that doesn't ask ${name}.`);
  for (const { id } of earlyStarts(loaded))
    say(`${id} began before their recruiter. Using the recruiter's time.`);
  return {
    dataset: loaded.study.name,
    title: round.name,
    sample: loaded,
    outcomes: Object.fromEntries(requestedOutcomes.map(({ name, outcome }) => [name, outcome])),
    names: new Map(requestedOutcomes.filter(({ name }) => name === 'location').map(siteNames)),
    site: siteOutcome(loaded.outcomes, settings)?.outcome ?? null,
    siteSizes: settings.siteSizes,
    populationSize: loaded.study.populationSize,
  };
}

/** Of a site the id says nothing. */
function siteNames({ name, outcome, levelTitles }: LoadedOutcome): [string, Map<string, string>] {
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels : [];
  return [name, new Map(levels.map((level, at) => [level, levelTitles[at]?.en ?? level]))];
}

async function open({ id, recruiter, size, time }: Options, from: string): Promise<SampleFromFile> {
  const path = pathOf(from);
  if ((await stat(path)).size > MAX_FILE_BYTES) throw new Error('The file is larger than 256 MB.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError) throw new Error('The file is not in UTF-8. Save it as "CSV UTF-8".');
    throw error;
  }
  try {
    return parseSampleFile(text, { id, recruiter, size, time: time ?? null });
  } catch (error) {
    if (error instanceof BrokenSample) throw new Error(`${from} can't be used:\n${listed(error.faults)}`);
    throw error;
  }
}

const MAX_FAULTS = 200;
function listed(faults: string[]): string {
  const more = faults.length - MAX_FAULTS;
  return [
    ...faults.slice(0, MAX_FAULTS),
    ...(more > 0 ? [`... and ${more} more: ${faults.length} in all.`] : []),
  ].join('\n');
}

function siteColumn(file: SampleFromFile, name: string | undefined): CategoryOutcome | null {
  const outcome = name === undefined ? null : outcomeOf(file, name, 'category');
  return outcome?.kind === 'CATEGORY' && outcome.levels.length > 1 ? outcome : null;
}

function outcomeOf(file: SampleFromFile, name: string, kind: VariableKind | undefined): OutcomeAnswers {
  try {
    const outcome = file.outcome(name, kind);
    if (outcome) return outcome;
  } catch (error) {
    if (error instanceof BrokenSample) throw new Error(listed(error.faults));
    throw error;
  }
  throw new Error(`There is no column ${name}. The file has: ${file.names.join(', ')}.`);
}

await run(program);
