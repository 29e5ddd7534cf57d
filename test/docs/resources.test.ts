/** Each resource is declared once, and everything that depends on it is complete. A failure says what to add where. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import mongoose from 'mongoose';
import { AUDITED_SUBJECTS, GRANTABLE_SUBJECTS } from '../../src/platform/rights/names.ts';
import { COLLECTIONS, MODELS } from '../../src/resources.ts';
import { API_TAGS, apiRoutes } from '../../src/routes.ts';

const folders = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name === 'routes.ts')
  .map((entry) => relative('src', entry.parentPath).replaceAll('\\', '/'))
  .filter((folder) => folder !== '');

const uniqueIndexes = (model: (typeof MODELS)[number]) =>
  model.schema.indexes().flatMap(([keys, { unique, name }]) => {
    const byKeys = Object.entries(keys).map(([field, way]) => `${field}_${String(way)}`);
    return unique ? [name ?? byKeys.join('_')] : [];
  });

describe('a resource', () => {
  it.each(folders)('%s has its routes in src/routes.ts', (folder) => {
    const table = readFileSync('src/routes.ts', 'utf8');
    const [, name] = new RegExp(`import \\{ (\\w+) \\} from './${folder}/routes.ts'`).exec(table) ?? [];
    expect(table).toContain(`  ...${name}`);
  });

  it('has each of its models in `COLLECTIONS` of src/resources.ts', () => {
    expect(mongoose.modelNames().sort()).toEqual(MODELS.map(({ modelName }) => modelName).sort());
  });

  it.each(COLLECTIONS.map((one) => [one.model.modelName, one] as const))(
    '%s maps each unique index to an error: add it to `unique` in src/resources.ts',
    (_name, { model, unique = {} }) => {
      expect(Object.keys(unique).sort()).toEqual(uniqueIndexes(model).sort());
    },
  );

  it('describes its tags: add them to `TAGS` of src/routes.ts', () => {
    expect([...new Set(apiRoutes.map(({ tag }) => tag))].sort()).toEqual(
      API_TAGS.map(({ name }) => name).sort(),
    );
  });

  it('of results has `access` "results" for each route', () => {
    const results = apiRoutes.filter(({ path }) => path.startsWith('/api/analysis/'));
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(({ access }) => access !== 'results').map(({ path }) => path)).toEqual([]);
  });

  it('is granted and audited by the name of a model: see src/platform/rights/names.ts', () => {
    // Counts over all interviews are not a record, nor is a file made of them.
    const names = [...mongoose.modelNames(), 'Recruitment', 'Export'];
    const unknown = [...GRANTABLE_SUBJECTS, ...AUDITED_SUBJECTS].filter((name) => !names.includes(name));
    expect(unknown).toEqual([]);
  });
});
