/**
 * Imports a group with table appearance, all of whose questions have the same choices, as a SurveyJS matrix.
 * Browser-safe.
 */

import type { ExpressionScope } from '../xpath/rule-scope.ts';
import type { JsonObject, XlsformImportContext } from './import-context.ts';
import { addVisibleIf, appearancesOf, importChoice } from './import-question.ts';
import type { XlsformSurveyRow } from './survey-rows.ts';
import type { SheetRow } from './table.ts';

export interface MatrixGroup {
  list: string;
  /** Each with its value in the answer. */
  rows: { line: XlsformSurveyRow; value: string }[];
  isRequired: boolean;
  /** The row that only shows the choices, as the table's header. */
  head: XlsformSurveyRow | null;
  /** Number of rows in the file, including the group's own. */
  size: number;
}

/** The columns that a row of a matrix supports. */
const GRID_COLUMNS = ['type', 'name', 'label', 'required', 'relevant', 'appearance'];

/** All groups that can become a matrix, by their first row. Rules about their rows are read later. */
export function findMatrixGroups(
  reading: XlsformImportContext,
  lines: XlsformSurveyRow[],
): Map<XlsformSurveyRow, MatrixGroup> {
  const grids = new Map<XlsformSurveyRow, MatrixGroup>();
  for (const [at, line] of lines.entries()) {
    if (line.type.is !== 'begin' || line.type.what !== 'group') continue;
    const end = lines.findIndex(({ type }, index) => index > at && type.is !== 'list');
    if (lines[end]?.type.is !== 'end') continue;
    const grid = gridOf(line, lines.slice(at + 1, end));
    if (!grid || !reading.lists.has(grid.list)) continue;
    grids.set(line, grid);
    for (const { line: one, value } of grid.rows) {
      const knownName = reading.names.get(one.name);
      if (knownName) reading.names.set(one.name, { ...knownName, as: `${line.name}.${value}` });
    }
    const head = grid.head && reading.names.get(grid.head.name);
    if (head && grid.head) reading.names.set(grid.head.name, { ...head, leftOut: true });
  }
  return grids;
}

const gridAppearances = (row: SheetRow) =>
  appearancesOf(row).filter((one) => one !== 'field-list' && one !== 'minimal');

function gridOf({ row, name }: XlsformSurveyRow, inside: XlsformSurveyRow[]): MatrixGroup | null {
  const isHead = (line: XlsformSurveyRow) => gridAppearances(line.row).join() === 'label';
  const head = inside.find(isHead) ?? null;
  const questions = inside.filter((line) => !isHead(line));
  const isTable = gridAppearances(row).join() === 'table-list';
  const areRows =
    questions.length > 1 && questions.every((line) => gridAppearances(line.row).join() === 'list-nolabel');
  const [first] = questions;
  if (!(isTable || areRows) || first?.type.is !== 'list' || inside.length > questions.length + 1) return null;
  const { list } = first.type;
  const required = first.row.take('required').toLowerCase();
  const fits = inside.every(
    ({ row: one, type, name: own }) =>
      type.is === 'list' &&
      type.type === 'select_one' &&
      type.list === list &&
      !type.orOther &&
      !own.includes('.') &&
      one.says(GRID_COLUMNS) &&
      ['', 'label', 'list-nolabel'].includes(gridAppearances(one).join()),
  );
  const isRequired = ['yes', 'true', 'true()'].includes(required);
  const isAlike = questions.every((line) => line.row.take('required').toLowerCase() === required);
  if (!fits || !isAlike || !(isRequired || ['', 'no', 'false', 'false()'].includes(required))) return null;
  const start = `${name}_`;
  const isStarted = questions.every((line) => line.name.startsWith(start) && line.name !== start);
  const rows = questions.map((line) => ({
    line,
    value: isStarted ? line.name.slice(start.length) : line.name,
  }));
  return { list, rows, isRequired, head, size: inside.length + 2 };
}

/** Its properties apart from the texts, which are handled as for other groups. */
export function importedGridProperties(
  reading: XlsformImportContext,
  element: JsonObject,
  grid: MatrixGroup,
  scope: ExpressionScope,
): JsonObject {
  const { list, rows, isRequired, head } = grid;
  reading.usedLists.add(list);
  if (head) reading.tell(head.row, 'GRID_HEAD', { name: head.name });
  const title = head && reading.words(head.row, 'label', scope);
  if (title !== null && title !== undefined) element.title ??= title;
  const columns = (reading.lists.get(list) ?? []).flatMap(
    (choice) => importChoice(reading, rows[0]?.line.row ?? choice.row, choice, '', scope, false) ?? [],
  );
  const items = rows.map(({ line: { row }, value }) => {
    const text = reading.words(row, 'label', scope);
    const item: JsonObject = { value, ...(text !== undefined && text !== value && { text }) };
    addVisibleIf(reading, row, item, scope);
    reading.places.set(item, row.place);
    reading.tellRest(row);
    return Object.keys(item).length === 1 ? value : item;
  });
  return Object.assign(element, {
    type: 'matrix',
    columns,
    rows: items,
    ...(isRequired && { isRequired: true, eachRowRequired: true }),
  });
}
