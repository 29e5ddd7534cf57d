/** Shows which fields an imported row would change at an existing site. */
import { isDeepEqual } from '../../../../src/platform/lib/objects/deep-equal.ts';
import type { SiteCsvRow } from '../../../../src/study/locations/csv-row.ts';
import type { Location } from '../../wire.ts';
import { FieldChange, useFieldDescriber } from '../history/field-change.tsx';

export interface SiteFieldChange {
  field: 'name' | 'type' | 'address' | 'coordinates';
  before: unknown;
  after: unknown;
  /** A value that the site has would be removed. */
  erases: boolean;
}

const FIELDS = ['name', 'type', 'address', 'coordinates'] as const;

/** Ignores case, as the service does when matching names. */
const sameName = (a: string, b: string) => a.localeCompare(b, 'en', { sensitivity: 'accent' }) === 0;

/** Empty for a new site. */
export function siteChangesOfRow(sites: Location[], row: SiteCsvRow | undefined): SiteFieldChange[] {
  const site = row && sites.find(({ name }) => sameName(name, row.name.trim()));
  if (!site || !row) return [];
  return FIELDS.flatMap((field) => {
    const [before, after] = [site[field], row[field]];
    // A column missing from the file changes nothing.
    if (after === undefined || isDeepEqual(before, after)) return [];
    return [{ field, before, after, erases: after === null && before !== null }];
  });
}

export function SiteImportChanges({ changes }: { changes: SiteFieldChange[] }) {
  const wordsOf = useFieldDescriber();
  return changes.map(({ field, before, after }) => {
    const { field: name, describeValue } = wordsOf('Location', field);
    return (
      <div key={field}>
        <FieldChange field={name} before={describeValue(before)} after={describeValue(after)} />
      </div>
    );
  });
}
