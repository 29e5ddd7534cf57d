/** npm run locations: manages sites, one by one or from a file. */
import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import type { z } from 'zod';
import { declaredFieldsSerializer } from '../src/platform/http/lists/declared-fields.ts';
import type { ImportLineReport } from '../src/study/locations/import-file.ts';
import { Location, LocationCreate, LocationPatch, LocationType } from '../src/study/locations/schema.ts';
import {
  type CommandAction,
  defaultOutput,
  define,
  examples,
  numberOf,
  outputOf,
  pathOf,
  Refused,
  run,
  schemaFaults,
  setAction,
  table,
  withDryRun,
  withJson,
} from './command.ts';

/** Loaded by the action: `--help` and a wrong argument are answered at once. */
const load = async () => ({
  ...(await import('../src/platform/http/parse-input.ts')),
  ...(await import('../src/platform/http/bodies/input-file.ts')),
  ...(await import('../src/study/locations/change.ts')),
  ...(await import('../src/study/locations/import-file.ts')),
  ...(await import('../src/study/locations/find.ts')),
});

const onWire = declaredFieldsSerializer(Location);
const program = examples(
  define('locations', 'List, create and change sites. SITE is a name or an id.'),
  'locations -- create "Downtown shelter" --type SHELTER --address "517 3rd Ave"',
  'locations -- import sites.csv --dry-run',
  'locations -- export sites.yaml',
);

const list = define('list', 'list all sites', program);
setAction(withJson(list), async () => {
  const { listLocations } = await load();
  const locations = await listLocations();
  const rows = locations.map(({ _id, name, type, address, coordinates }) => [
    _id.toHexString(),
    name,
    type,
    address ?? '',
    coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : '',
  ]);
  const headings = ['ID', 'NAME', 'TYPE', 'ADDRESS', 'COORDINATES'];
  const text = table(headings, rows, 'There are no sites yet.');
  return { text, json: locations.map(onWire) };
});

interface Fields {
  name?: string;
  type?: string;
  address?: string;
  coordinates?: string;
}
const type = () => new Option('--type <type>', 'type of site').choices(LocationType.options);
const ADDRESS = ['--address <text>', 'address and hours, printed on coupons'] as const;
const COORDINATES = ['--coordinates <latitude,longitude>', 'such as 47.6062,-122.3321; "" for none'] as const;

function bodyOf({ name, type, address, coordinates }: Fields): object {
  if (coordinates === undefined || coordinates === '') {
    return { name, type, address, coordinates: coordinates === '' ? null : undefined };
  }
  const [latitude, longitude] = coordinates.split(',').map(Number);
  return { name, type, address, coordinates: { latitude, longitude } };
}

/** Two parts, neither of them empty; whether they are numbers on the globe, the schema says. */
function coordinateFaults({ coordinates = '' }: Fields): string[] {
  const parts = coordinates.split(',');
  const areTwo = parts.length === 2 && parts.every((part) => part.trim() !== '');
  return coordinates === '' || areTwo ? [] : ['Write --coordinates as latitude,longitude.'];
}

const fieldFaults = async (schema: z.ZodType, fields: Fields): Promise<string[]> => {
  const faults = coordinateFaults(fields);
  const { coordinates, ...others } = fields;
  return [...faults, ...(await schemaFaults(schema, bodyOf(faults.length > 0 ? others : fields)))];
};

const create = define('create <name>', 'create a site and print its id', program).addOption(type());
create.option(...ADDRESS).option(...COORDINATES);
const createSite: CommandAction<Fields, [string]> = async (options, { now, dryRun, say }, name) => {
  const { parseInput, createLocation } = await load();
  const body = parseInput(LocationCreate, bodyOf({ ...options, name }));
  const location = await createLocation(body, { by: null, now });
  say(`${dryRun ? 'Would create' : 'Created'} ${location.name}, ${location.type}.`);
  return { text: dryRun ? '' : location._id.toHexString(), json: onWire(location) };
};
setAction(withDryRun(withJson(create)), createSite, {
  check: async (fields, name) => await fieldFaults(LocationCreate, { ...fields, name }),
});

const update = define('update <site>', 'change a site', program).option('--name <name>', 'a new name');
update
  .addOption(type())
  .option(...ADDRESS)
  .option(...COORDINATES);
const updateSite: CommandAction<Fields, [string]> = async (options, { now, dryRun }, site) => {
  const { parseInput, findLocation, updateLocation } = await load();
  const body = parseInput(LocationPatch, bodyOf(options));
  const after = await updateLocation((session) => findLocation(site, session), body, { by: null, now });
  const { name, type, address } = after;
  return {
    text: `${dryRun ? 'Would be' : 'Now'}: ${[name, type, address].filter(Boolean).join(', ')}`,
    json: onWire(after),
  };
};
setAction(withDryRun(withJson(update)), updateSite, {
  check: async (fields) => await fieldFaults(LocationPatch, fields),
});

const remove = define('delete <site>', 'close a site; its records stay', program);
setAction<object, [string]>(withDryRun(withJson(remove)), async (_options, { now, dryRun }, site) => {
  const { deleteLocation, findLocation } = await load();
  const location = await deleteLocation((session) => findLocation(site, session), { by: null, now });
  return { text: `${dryRun ? 'Would delete' : 'Deleted'} ${location.name}.`, json: onWire(location) };
});

const endingFaults = async (path: string): Promise<string[]> =>
  (await load()).fileKind(path) ? [] : ['The file name must end in .yaml, .yml or .csv.'];

const reads = define(
  'import <file>',
  'create or update the sites in a YAML or CSV file: all or none',
  program,
);
const importSites: CommandAction<object, [string]> = async (_options, { now, dryRun }, file) => {
  const { fileKind, importLocationsFile, readInputFile } = await load();
  const path = pathOf(file);
  const kind = fileKind(path) ?? 'csv';
  const { reports, wrong } = await importLocationsFile(await readInputFile(path), kind, { by: null, now });
  const lines = reports.map(lineOf).join('\n');
  const count = (result: ImportLineReport['result']) => reports.filter((one) => one.result === result).length;
  if (wrong > 0) throw new Refused(`${lines}\n${wrong} wrong. Nothing was changed.`, { reports });
  const sum = `${count('created')} created, ${count('updated')} updated, ${count('unchanged')} unchanged`;
  return { text: `${lines}\n${sum}${dryRun ? ' (not done: --dry-run)' : ''}`, json: { reports } };
};
setAction(withDryRun(withJson(reads)), importSites, {
  check: async (_options, file) => await endingFaults(file),
  inputs: (_options, file) => [file],
});

const lineOf = ({ line, name, result, detail }: ImportLineReport) =>
  `line ${line}: ${name || '(no name)'}: ${result}${detail ? ` (${detail})` : ''}`;

const writes = define(
  'export [file]',
  'write all sites to a YAML or CSV file, for import (default: sites-DATE.yaml)',
  program,
).option('--force', 'replace the file if it exists');
const exportSites: CommandAction<object, [string | undefined]> = async (_options, _around, file) => {
  const { fileKind, listLocations, serializeLocations } = await load();
  const path = outputOf(file ?? defaultOutput('sites', '.yaml'));
  const kind = fileKind(path) ?? 'yaml';
  const locations = await listLocations();
  await writeFile(path, serializeLocations(locations, kind));
  return {
    text: `Wrote ${numberOf(locations.length, 'site')} to ${path}`,
    json: { out: path, count: locations.length },
  };
};
setAction(withJson(writes), exportSites, {
  check: async (_options, file) => (file === undefined ? [] : await endingFaults(file)),
  outputs: (_options, file) => (file === undefined ? [] : [file]),
});

await run(program);
