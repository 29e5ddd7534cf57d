/** What a row of an import would change at an existing site, field by field. */
import { isDeepEqual } from '../../../../src/platform/lib/objects/deep-equal.ts';
import type { SiteRow } from '../../../../src/study/locations/csv-row.ts';
import type { Location } from '../../wire.ts';
import { FieldChange, useFieldWords } from '../history/change-words.tsx';

export interface SiteChange {
  field: 'name' | 'type' | 'address' | 'coordinates';
  before: unknown;
  after: unknown;
  /** Something that is known of the site would be gone. */
  erases: boolean;
}

const FIELDS = ['name', 'type', 'address', 'coordinates'] as const;

/** As the service finds a site by its name: in capitals or not. */
const sameName = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'accent' }) === 0;

/** Nothing for a new site. */
export function changesOfRow(sites: Location[], row: SiteRow | undefined): SiteChange[] {
  const site = row && sites.find(({ name }) => sameName(name, row.name.trim()));
  if (!site || !row) return [];
  return FIELDS.flatMap((field) => {
    const [before, after] = [site[field], row[field]];
    // A column that is not in the file changes nothing.
    if (after === undefined || isDeepEqual(before, after)) return [];
    return [{ field, before, after, erases: after === null && before !== null }];
  });
}

export function SiteChanges({ changes }: { changes: SiteChange[] }) {
  const wordsOf = useFieldWords();
  return changes.map(({ field, before, after }) => {
    const { field: name, say } = wordsOf('Location', field);
    return (
      <div key={field}>
        <FieldChange field={name} before={say(before)} after={say(after)} />
      </div>
    );
  });
}
