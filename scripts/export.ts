/** npm run export: the interviews as a table, for statistics. */
import { Option } from 'commander';
import { z } from 'zod';
import { exportStudy } from '../src/export/make.ts';
import type { Format } from '../src/export/text.ts';
import { checked } from '../src/http/checked.ts';
import { DayOrInstant } from '../src/http/fields.ts';
import { findLocation } from '../src/locations/find.ts';
import { zoneOf } from '../src/study/zone.ts';
import {
  define,
  examples,
  mayWrite,
  numberOf,
  pathOf,
  progress,
  run,
  setAction,
  sizeOf,
  withJson,
  wrongArgument,
} from './command.ts';

interface Options {
  out: string;
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
}

const program = define(
  'export',
  'Writes all interviews, as they are at one instant, to a table: a row each, a column for each question. It holds no names and no phone numbers of the team. The service may run.',
)
  .requiredOption('--out <file>', 'the file to write; keep it where only you can read it')
  .option('--codebook <file>', 'also write what each column and each code means, as CSV')
  .addOption(
    new Option('--format <format>', 'csv, or a JSON object a line').choices(['csv', 'json']).default('csv'),
  )
  .option('--location <site>', 'only interviews at this site, by name or id')
  .option('--from <day>', 'only those held from this day on (2026-11-21), or this instant')
  .option('--to <day>', 'only those held until this day or instant, inclusive')
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
);

const Between = z.strictObject({ from: DayOrInstant.optional(), to: DayOrInstant.optional() });

setAction<Options>(program, async (options, { config }) => {
  const { format, force = false, includeDeleted = false, completedOnly = false } = options;
  const { coordinates = false, bom = false } = options;
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
  };
  const bar = progress('Interviews');
  const made = await exportStudy(paths, wish, bar.step).finally(bar.end);
  const lines = [
    `Wrote ${numberOf(made.interviews, 'interview')} in ${made.columns} columns, ${sizeOf(made.bytes)}, to ${paths.data}`,
  ];
  if (paths.codebook) lines.push(`Wrote what the columns mean to ${paths.codebook}`);
  return { text: lines.join('\n'), json: { out: paths.data, codebook: paths.codebook, ...made } };
});

await run(program);
