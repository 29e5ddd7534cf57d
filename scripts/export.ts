/** npm run export: the interviews as a table, and the sample as statistics want it. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { z } from 'zod';
import { EXPORT_FILES, EXPORT_NAMES, type ExportName, SampleQuery } from '../src/export/schema.ts';
import type { Format } from '../src/export/text.ts';
import { DayOrInstant } from '../src/http/fields.ts';
import {
  type Answer,
  define,
  examples,
  mayWrite,
  numberOf,
  pathOf,
  progress,
  run,
  type Surroundings,
  setAction,
  sizeOf,
  withJson,
  wrongArgument,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/export/make.ts')),
  ...(await import('../src/export/write.ts')),
  ...(await import('../src/http/between.ts')),
  ...(await import('../src/http/checked.ts')),
  ...(await import('../src/http/reader.ts')),
  ...(await import('../src/lib/whole-files.ts')),
  ...(await import('../src/locations/find.ts')),
  ...(await import('../src/study/zone.ts')),
});

interface Options {
  name?: ExportName;
  out?: string;
  codebook?: string;
  format: Format;
  location?: string;
  from?: string;
  to?: string;
  completedOnly?: boolean;
  includeDeleted?: boolean;
  coordinates?: boolean;
  bom?: boolean;
  force?: boolean;
  json?: boolean;
}

const program = define(
  'export',
  'Writes all interviews, as they are at one instant, to a table: a row each, a column for each question. It holds no names and no phone numbers of the team. The service may run.',
)
  .addOption(
    new Option(
      '--name <name>',
      'a file as the dashboard gives it; those from rds.csv on are made of the sample, which is checked first',
    ).choices(EXPORT_NAMES),
  )
  .option(
    '--out <file>',
    'the file to write, or - for standard output; keep it where only you can read it (with --name: by default that name)',
  )
  .option('--codebook <file>', 'also write what each column and each code means, as CSV')
  .addOption(
    new Option('--format <format>', 'csv, or a JSON object a line').choices(['csv', 'json']).default('csv'),
  )
  .option('--location <site>', 'only interviews at this site, by name or id')
  .option('--from <day>', 'only those that arrived from this day on (2026-11-21), or this instant')
  .option('--to <day>', 'only those that arrived until this day or instant, inclusive')
  .option('--completed-only', 'leave out interviews in progress')
  .option('--include-deleted', 'deleted interviews too, with a column deleted_at')
  .option('--coordinates', 'where each was held: latitude, longitude, accuracy; left out by default')
  .option('--bom', 'begin CSV with a mark by which Excel knows UTF-8; R and Python need none')
  .option('--force', 'replace the files if they are there');
examples(
  withJson(program),
  'export -- --out study.csv --codebook codebook.csv',
  'export -- --out downtown.csv --location "Downtown shelter" --from 2026-11-21 --completed-only',
  'export -- --out study.jsonl --format json',
  'export -- --name bundle.zip',
  'export -- --name rds.csv --out downtown.csv --location "Downtown shelter"',
);

const Between = z.strictObject({ from: DayOrInstant.optional(), to: DayOrInstant.optional() });

setAction<Options>(program, async (options, around) => {
  const { name } = options;
  if (name) return await named({ ...options, name }, around);
  return await asAsked(options, around);
});

async function asAsked(options: Options, { config, now }: Surroundings): Promise<Answer> {
  const { checked, exportStudy, findLocation, zoneOf } = await load();
  const { format, force = false, includeDeleted = false, completedOnly = false } = options;
  const { coordinates = false, bom = false } = options;
  if (!options.out)
    throw wrongArgument('Say which file to write: --out FILE, or --name for one of those that there are.');
  const paths = { data: pathOf(options.out), codebook: options.codebook ? pathOf(options.codebook) : null };
  if (paths.data === paths.codebook) throw wrongArgument('Give --out and --codebook different names.');
  if (bom && format === 'json') throw wrongArgument('--bom is for CSV.');
  const between = checked(Between, { from: options.from, to: options.to });
  for (const path of Object.values(paths)) if (path) mayWrite(path, force);
  const location = options.location ? (await findLocation(options.location))._id : null;
  const wish = {
    location,
    ...between,
    format,
    includeDeleted,
    completedOnly,
    coordinates,
    bom,
    zone: await zoneOf(config),
    now,
  };
  const bar = progress('Interviews');
  const made = await exportStudy(paths, wish, bar.step).finally(bar.end);
  const lines = [
    `Wrote ${numberOf(made.interviews, 'interview')} in ${made.columns} columns, ${sizeOf(made.bytes)}, to ${paths.data}`,
  ];
  if (paths.codebook) lines.push(`Wrote what the columns mean to ${paths.codebook}`);
  return { text: lines.join('\n'), json: { out: paths.data, codebook: paths.codebook, ...made } };
}

/** These go with the free form alone. */
const FREE = ['format', 'codebook', 'completedOnly', 'includeDeleted', 'coordinates', 'bom'] as const;
const OWN_TABLE = 'such a table is written with --out alone.';
const WHY: Record<(typeof FREE)[number], string> = {
  format: 'each file has its own. The interviews as JSON are --name interviews.json.',
  codebook: 'take --name codebook.csv.',
  completedOnly: OWN_TABLE,
  includeDeleted: OWN_TABLE,
  coordinates: OWN_TABLE,
  bom: OWN_TABLE,
};

async function named(
  options: Options & { name: ExportName },
  { config, now }: Surroundings,
): Promise<Answer> {
  const { name, out = name, force = false } = options;
  const { checked, createdWithin, findLocation, toReader, wholeFiles, writeFile, zoneOf } = await load();
  const foreign = FREE.find((key) => program.getOptionValueSource(key) === 'cli');
  if (foreign)
    throw wrongArgument(
      `--name does not go with --${foreign.replace(/[A-Z]/g, '-$&').toLowerCase()}: ${WHY[foreign]}`,
    );
  const zone = await zoneOf(config);
  const location = options.location ? (await findLocation(options.location))._id : null;
  const { ofSample } = EXPORT_FILES[name];
  const asked = { from: options.from, to: options.to };
  const between = ofSample ? checked(SampleQuery, asked) : checked(Between, asked);
  const query = { ...between, ...(location ? { location: String(location) } : {}) };
  const match = { deletedAt: null, ...createdWithin(between, zone), ...(location ? { location } : {}) };
  const wish = { name, query, match, zone, now, by: null };
  const path = pathOf(out);
  mayWrite(path, force);
  await wholeFiles([path], async ([aside = '']) => {
    await toReader(createWriteStream(aside, { mode: 0o600 }), async (give) => await writeFile(wish, give));
  });
  const { size } = await stat(path);
  return { text: `Wrote ${name}, ${sizeOf(size)}, to ${path}`, json: { out: path, name, bytes: size } };
}

await run(program);
