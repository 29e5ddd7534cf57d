/** npm run export: interviews as a table, and the sample for statistics programs. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Option } from 'commander';
import { z } from 'zod';
import type { CsvOrJson } from '../src/exports/interviews/row-text.ts';
import {
  EXPORT_FILE_NAMES,
  EXPORT_FILES,
  type ExportName,
  SampleExportQuery,
} from '../src/exports/schema.ts';
import { DayOrInstant } from '../src/platform/http/field-schemas.ts';
import {
  type CommandContext,
  type CommandResult,
  defaultOutput,
  define,
  examples,
  numberOf,
  outputOf,
  progress,
  run,
  schemaFaults,
  setAction,
  sizeOf,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/exports/interviews/incentives.ts')),
  ...(await import('../src/exports/to-disk.ts')),
  ...(await import('../src/exports/write-file.ts')),
  ...(await import('../src/platform/http/lists/date-range.ts')),
  ...(await import('../src/platform/http/parse-input.ts')),
  ...(await import('../src/platform/http/bodies/backpressure.ts')),
  ...(await import('../src/platform/lib/atomic-files.ts')),
  ...(await import('../src/study/locations/find.ts')),
  ...(await import('../src/study/settings/time-zone.ts')),
});

interface Options {
  name?: ExportName;
  out?: string;
  codebook?: string;
  format: CsvOrJson;
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
  'Write all interviews, as of one moment, to a table with one row per interview and one column per question. It contains no names or phone numbers of staff. The service can keep running.',
)
  .addOption(
    new Option(
      '--name <name>',
      'one of the files that the dashboard offers; from rds.csv on, they use the sample, which is checked first',
    ).choices(EXPORT_FILE_NAMES),
  )
  .option(
    '--out <file>',
    'the file to write, or - for standard output; keep it safe (default: interviews-DATE.csv, or the name after --name)',
  )
  .option('--codebook <file>', 'also write a codebook (CSV) that explains each column and code')
  .addOption(
    new Option('--format <format>', 'csv, or one JSON object per line')
      .choices(['csv', 'json'])
      .default('csv'),
  )
  .option('--location <site>', 'only interviews at this site (name or id)')
  .option('--from <day>', 'only interviews received from this date (2026-11-21) or time')
  .option('--to <day>', 'only interviews received up to and including this date or time')
  .option('--completed-only', 'exclude interviews in progress')
  .option('--include-deleted', 'include deleted interviews, with a column deleted_at')
  .option('--coordinates', 'include latitude, longitude and accuracy; left out by default')
  .option('--bom', 'start CSV with a byte order mark, so that Excel recognizes UTF-8')
  .option('--force', 'replace the files if they exist');
examples(
  withJson(program),
  'export',
  'export -- --out study.csv --codebook codebook.csv',
  'export -- --out downtown.csv --location "Downtown shelter" --from 2026-11-21 --completed-only',
  'export -- --out study.jsonl --format json',
  'export -- --name bundle.zip',
  'export -- --name rds.csv --out downtown.csv --location "Downtown shelter"',
);

const Between = z.strictObject({ from: DayOrInstant.optional(), to: DayOrInstant.optional() });

setAction<Options>(
  program,
  async (options, context) => {
    const { name } = options;
    if (name) return await exportToPath({ ...options, name }, context);
    return await asRequested(options, context);
  },
  {
    check: async ({ name, out, codebook, format, bom, from, to }) => [
      ...(name === undefined ? [] : foreignOptions()),
      ...(out !== undefined && codebook !== undefined && outputOf(out) === outputOf(codebook)
        ? ['--out and --codebook need different names.']
        : []),
      ...(bom && format === 'json' ? ['--bom only works with CSV.'] : []),
      ...(await schemaFaults(name && EXPORT_FILES[name]?.ofSample ? SampleExportQuery : Between, {
        from,
        to,
      })),
    ],
    outputs: ({ name, out = name, codebook }) => [out, codebook].filter((path) => path !== undefined),
  },
);

async function asRequested(options: Options, { config, now }: CommandContext): Promise<CommandResult> {
  const { parseInput, exportInterviewsToFiles: exportStudy, findLocation, studyTimeZone } = await load();
  const { format, includeDeleted = false, completedOnly = false } = options;
  const { coordinates = false, bom = false } = options;
  const paths = {
    data: outputOf(options.out ?? defaultOutput('interviews', format === 'csv' ? '.csv' : '.jsonl')),
    codebook: options.codebook ? outputOf(options.codebook) : null,
  };
  const between = parseInput(Between, { from: options.from, to: options.to });
  const location = options.location ? (await findLocation(options.location))._id : null;
  const request = {
    location,
    ...between,
    format,
    includeDeleted,
    completedOnly,
    coordinates,
    bom,
    zone: await studyTimeZone(config),
    now,
  };
  const bar = progress('Interviews');
  const file = await exportStudy(paths, request, bar.step).finally(bar.end);
  const lines = [
    `Wrote ${numberOf(file.interviews, 'interview')} in ${file.columns} columns, ${sizeOf(file.bytes)}, to ${paths.data}`,
  ];
  if (paths.codebook) lines.push(`Wrote the codebook to ${paths.codebook}`);
  return { text: lines.join('\n'), json: { out: paths.data, codebook: paths.codebook, ...file } };
}

/** These go with the free form alone. */
const ALWAYS_ALLOWED = [
  'format',
  'codebook',
  'completedOnly',
  'includeDeleted',
  'coordinates',
  'bom',
] as const;
const OWN_TABLE_HINT = 'use --out alone for such a table.';
const ALLOWED_REASONS: Record<(typeof ALWAYS_ALLOWED)[number], string> = {
  format: 'each file has its own. The interviews as JSON are --name interviews.json.',
  codebook: 'take --name codebook.csv.',
  completedOnly: OWN_TABLE_HINT,
  includeDeleted: OWN_TABLE_HINT,
  coordinates: OWN_TABLE_HINT,
  bom: OWN_TABLE_HINT,
};

const foreignOptions = (): string[] =>
  ALWAYS_ALLOWED.filter((key) => program.getOptionValueSource(key) === 'cli').map(
    (key) =>
      `--name can't be combined with --${key.replace(/[A-Z]/g, '-$&').toLowerCase()}: ${ALLOWED_REASONS[key]}`,
  );

async function exportToPath(
  options: Options & { name: ExportName },
  { config, now }: CommandContext,
): Promise<CommandResult> {
  const { name, out = name } = options;
  const {
    parseInput,
    dateFilter,
    findLocation,
    streamTo,
    writeAtomically,
    writeExportFile: writeFile,
    studyTimeZone,
  } = await load();
  const { incentiveFilterForSite: incentivesOf, incentiveReaderOf } = await load();
  const zone = await studyTimeZone(config);
  const location = options.location ? (await findLocation(options.location))._id : null;
  const { ofSample } = EXPORT_FILES[name];
  const window = { from: options.from, to: options.to };
  const between = ofSample ? parseInput(SampleExportQuery, window) : parseInput(Between, window);
  const query = { ...between, ...(location ? { location: String(location) } : {}) };
  const period = dateFilter('createdAt', between, zone);
  const match =
    name === 'cards.csv'
      ? dateFilter('givenAt', between, zone)
      : name === 'incentives.csv'
        ? incentivesOf(period, location)
        : { deletedAt: null, ...period, ...(location ? { location } : {}) };
  const incentives = incentivesOf(period, location);
  const request = { name, query, match, incentives, zone, now, by: null, reader: incentiveReaderOf(null) };
  const path = outputOf(out);
  await writeAtomically([path], async ([tempPath = '']) => {
    await streamTo(
      createWriteStream(tempPath, { mode: 0o600 }),
      async (give) => await writeFile(request, give),
    );
  });
  const { size } = await stat(path);
  return { text: `Wrote ${name}, ${sizeOf(size)}, to ${path}`, json: { out: path, name, bytes: size } };
}

await run(program);
