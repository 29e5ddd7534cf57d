/** Persons, households and cells of a population count, for `npm run analyse -- --count`. */
import { PopulationCountModel } from '../src/statistics/counts/model.ts';
import { loadCountTables } from '../src/statistics/counts/tables/count-tables.ts';
import type { CountTables } from '../src/statistics/counts/tables/schema.ts';
import { requestedRound } from '../src/study/rounds/requested.ts';
import { formatTable, wrapped } from './format-table.ts';

/** With all rights, as every command has. The latest count of that name or id in the round. Throws if there is none. */
export async function tablesOfCount(
  nameOrId: string,
  { roundId, zone, now }: { roundId?: string; zone: string; now: Date },
): Promise<CountTables> {
  const { _id: round } = (await requestedRound(roundId)).round;
  const counts = await PopulationCountModel.find({ deletedAt: null, round })
    .sort({ createdAt: -1, _id: -1 })
    .lean();
  const count = counts.find(({ _id, name }) => [name, _id.toHexString()].includes(nameOrId));
  if (!count) {
    const names = counts.map(({ name }) => name).join(', ') || 'none';
    throw new Error(`There is no population count ${nameOrId}. The round has: ${names}.`);
  }
  return await loadCountTables(count, { user: { role: 'SUPER_ADMIN' }, zone }, now);
}

const TOTAL_UNITS = { ADULTS: 'adults', PERSONS: 'persons', HOUSEHOLDS: 'households' };

export function formatCount({ totals, tables, notes, text, method }: CountTables): string {
  const whole = (figure: number | null) => figure?.toLocaleString('en-US') ?? '-';
  const row = (name: string, range: CountTables['totals']['adults']): string[][] =>
    range ? [[name, whole(range.estimate), `${whole(range.low)} to ${whole(range.high)}`]] : [];
  const interval = method ? `95 % interval by ${method}` : '95 % interval';
  const headings = (name: string) => [name, 'estimate', interval];
  return [
    formatTable(headings('total'), [
      ...row('adults', totals.adults),
      ...row('persons', totals.persons),
      ...row('households', totals.households),
    ]),
    ...tables.map(({ title, of, cells }) =>
      formatTable(
        headings(`${title.en}, ${TOTAL_UNITS[of]}`),
        cells.flatMap((cell) => row(cell.title?.en ?? cell.cell, cell)),
      ),
    ),
    ...notes.map(({ code, message }) => wrapped(`${code}: ${message}`)),
    ...text.split('\n\n').map(wrapped),
  ].join('\n\n');
}
