/** Each resource is declared once, and everything that depends on it is complete. A failure says what to add where. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import mongoose from 'mongoose';
import { routes } from '../../src/app.ts';
import { AUDITED, GRANTABLE } from '../../src/platform/rights/names.ts';
import { COLLECTIONS, MODELS, RESOURCES, TAGS } from '../../src/resources.ts';

const folders = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(^|-)(routes|model)\.ts$/.test(entry.name))
  .map((entry) => relative('src', entry.parentPath).replaceAll('\\', '/'))
  .filter((folder) => !/^platform\/(http|db|rights|lib)\b/.test(folder) && folder !== 'access/auth/otp')
  .filter((folder, at, all) => all.indexOf(folder) === at);

const uniqueIndexes = (model: (typeof MODELS)[number]) =>
  model.schema.indexes().flatMap(([keys, { unique, name }]) => {
    const byKeys = Object.entries(keys).map(([field, way]) => `${field}_${String(way)}`);
    return unique ? [name ?? byKeys.join('_')] : [];
  });

describe('a resource', () => {
  it.each(folders)('%s has a resource.ts, listed in src/resources.ts', (folder) => {
    expect(existsSync(join('src', folder, 'resource.ts'))).toBe(true);
    expect(readFileSync('src/resources.ts', 'utf8')).toContain(`from './${folder}/resource.ts'`);
  });

  it('is a folder of src/, each once', () => {
    expect(RESOURCES).toHaveLength(folders.length);
  });

  it('declares each of its models: add it to `collections` of its resource.ts', () => {
    expect(mongoose.modelNames().sort()).toEqual(MODELS.map(({ modelName }) => modelName).sort());
  });

  it.each(COLLECTIONS.map((one) => [one.model.modelName, one] as const))(
    '%s maps each unique index to an error: add it to `unique` in its resource.ts',
    (_name, { model, unique = {} }) => {
      expect(Object.keys(unique).sort()).toEqual(uniqueIndexes(model).sort());
    },
  );

  it('describes its tags: add them to `tags` of its resource.ts', () => {
    expect([...new Set(routes.map(({ tag }) => tag))].sort()).toEqual(TAGS.map(({ name }) => name).sort());
  });

  it('of results has `access` "results" for each route', () => {
    const results = routes.filter(({ path }) => path.startsWith('/api/analysis/'));
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(({ access }) => access !== 'results').map(({ path }) => path)).toEqual([]);
  });

  it('is granted and audited by the name of a model: see src/platform/rights/names.ts', () => {
    // Counts over all interviews are not a record, nor is a file made of them.
    const names = [...mongoose.modelNames(), 'Recruitment', 'Export'];
    const unknown = [...GRANTABLE, ...AUDITED].filter((name) => !names.includes(name));
    expect(unknown).toEqual([]);
  });
});
