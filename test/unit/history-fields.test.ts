/** Each field that can appear in the history has its own name in each language. */
import { readFileSync } from 'node:fs';
import languages from '../../locales/languages.json' with { type: 'json' };
import { IncentivesExportQuery, SampleExportQuery } from '../../src/exports/schema.ts';
import { AUDITED_SUBJECTS } from '../../src/platform/rights/names.ts';
import { MODELS } from '../../src/resources.ts';

/** Set only while a record is being deleted; secret; written by each use; of a secret; of sending; counters for conflicts. */
const NEVER_AUDITED = [
  ...['deletingUntil', 'hash', 'lastUsedAt', 'statusHash', 'sealed', 'hashes'],
  ...['claimedAt', 'tries', 'wordsHash', 'sid'],
  ...['blocksReserved', 'commentsAdded', 'recruitsWhilePending'],
];

/** The stored fields of a kind of record, and for a file its request. */
function fieldsOf(subject: string): string[] {
  const model = MODELS.find(({ modelName }) => modelName === subject);
  if (!model)
    return ['file', ...Object.keys(IncentivesExportQuery.shape), ...Object.keys(SampleExportQuery.shape)];
  return Object.keys(model.schema.paths).filter((path) => path !== '_id' && !NEVER_AUDITED.includes(path));
}

const fields = AUDITED_SUBJECTS.flatMap((subject) =>
  fieldsOf(subject).map((path) => [subject, path] as const),
);

test.each(Object.keys(languages))(
  'every audited field has a label other than its stored name: %s',
  (language) => {
    const { audit, study } = JSON.parse(readFileSync(`locales/${language}/dashboard.json`, 'utf8'));
    const wordOf = (subject: string, path: string) =>
      (subject === 'Study' ? study.fields[path] : undefined) ?? audit.field[path];
    const raw = fields.filter(([subject, path]) => {
      const word = wordOf(subject, path);
      return !word || word === path;
    });
    expect(raw).toEqual([]);
  },
);
