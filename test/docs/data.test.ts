import mongoose from 'mongoose';
import '../../src/app.ts';
import { read } from './pages.ts';

const models = Object.values(mongoose.models).map((model) => ({
  collection: model.collection.collectionName,
  model,
}));

/** The section of a collection in docs/data.md. */
const section = (collection: string) =>
  read('docs/data.md').split(`\n## \`${collection}\``)[1]?.split('\n## ')[0];

/** An index in the page's notation: `deletedAt, -createdAt, -_id`. */
const written = (keys: Record<string, unknown>) =>
  Object.entries(keys)
    .map(([field, way]) => `${way === -1 ? '-' : ''}${field}`)
    .join(', ');

describe('docs/data.md', () => {
  it.each(models)('documents $collection: add a section to docs/data.md', ({ collection }) => {
    expect(section(collection)).toBeDefined();
  });

  it.each(models)(
    'documents every field of $collection: add what is missing to docs/data.md',
    ({ collection, model }) => {
      const text = section(collection) ?? '';
      const fields = Object.keys(model.schema.paths).map((path) => path.split('.')[0] ?? '');
      expect(fields.filter((field) => field !== '_id' && !text.includes(`\`${field}\``))).toEqual([]);
    },
  );

  it.each(models)(
    'has every index of $collection: add it with the query that it serves',
    ({ collection, model }) => {
      const table = (section(collection) ?? '').split('| index | serves |')[1] ?? '';
      const documentedIndexes = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);
      const indexes = model.schema.indexes().map(([keys]) => written(keys as Record<string, unknown>));
      expect(documentedIndexes.sort()).toEqual(indexes.sort());
    },
  );
});
