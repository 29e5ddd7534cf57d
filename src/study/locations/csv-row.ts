/** A row of a CSV file of sites. Browser-safe. */

export const SITE_CSV_COLUMNS = ['name', 'type', 'address', 'latitude', 'longitude'] as const;

export interface SiteCsvRow {
  name: string;
  type?: string;
  address?: string | null;
  coordinates?: { latitude: number | undefined; longitude: number | undefined } | null;
}

/** An empty cell clears the field; a missing column changes nothing. */
export function parseSiteRow(cells: Map<(typeof SITE_CSV_COLUMNS)[number], string>): SiteCsvRow {
  const row: SiteCsvRow = { name: cells.get('name') ?? '' };
  const type = cells.get('type');
  if (type) row.type = type.toUpperCase().replace(/[\s-]+/g, '_');
  if (cells.has('address')) row.address = cells.get('address') || null;
  const [latitude, longitude] = [cells.get('latitude'), cells.get('longitude')];
  // Invalid numbers are refused later, with their line.
  const number = (text: string | undefined) => (text ? Number(text.replace(',', '.')) : undefined);
  if (latitude || longitude) row.coordinates = { latitude: number(latitude), longitude: number(longitude) };
  else if (cells.has('latitude')) row.coordinates = null;
  return row;
}
