/** The tables of a population count as CSV: one row for each total and each cell. */

import { defineRoute, routeGroup, streamedFile } from '../platform/http/route.ts';
import { findRecord } from '../platform/rights/guard.ts';
import { PopulationCountModel } from '../statistics/counts/model.ts';
import { loadCountTables } from '../statistics/counts/tables/count-tables.ts';
import type { CountTables } from '../statistics/counts/tables/schema.ts';
import { requireRightToNarrowSample } from '../statistics/sample/right.ts';
import { type CellRow, csvText } from './interviews/row-text.ts';

const HEAD = ['table', 'of', 'cell', 'title', 'estimate', 'low', 'high', 'note'];

export function countTablesCsv({ totals, tables, notes, method }: CountTables): string {
  const figures = (
    range: { estimate: number | null; low: number | null; high: number | null } | null,
  ): CellRow => [range?.estimate, range?.low, range?.high];
  const rows: CellRow[] = [
    ...Object.entries(totals).map(([of, range]) => [
      'total',
      of.toUpperCase(),
      '',
      '',
      ...figures(range),
      method ?? '',
    ]),
    ...tables.flatMap(({ table, of, cells }) =>
      cells.map((cell) => [
        table,
        of,
        cell.cell,
        cell.title?.en ?? cell.cell,
        ...figures(cell),
        cell.hidden ? 'HIDDEN' : '',
      ]),
    ),
    ...notes.map(({ table, code, message }) => [table ?? '', '', code, message, '', '', '', code]),
  ];
  return csvText([HEAD, ...rows]);
}

export const countTablesCsvRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'get',
    path: '/api/analysis/counts/:id/tables.csv',
    memory: 'small',
    summary: 'Download the tables of a count',
    description: 'As GET /api/analysis/counts/:id/tables, with a row for each total, cell and note.',
    reply: { 200: 'text/csv' },
    handle: async ({ actor, id, now }) => {
      const count = await findRecord(PopulationCountModel, id);
      requireRightToNarrowSample(actor, count);
      const file = countTablesCsv(await loadCountTables(count, actor, now));
      return streamedFile('tables.csv', async (out) => void out.end(file));
    },
  }),
]);
