/** Imports the choices sheet. Browser-safe. */

import { isDeepEqual } from '../../../platform/lib/objects/deep-equal.ts';
import type { XlsformImportContext } from './import-context.ts';
import { isKnownColumn, type SheetTable } from './table.ts';

export function readChoiceLists(reading: XlsformImportContext, table: SheetTable): void {
  reading.choiceColumns = table.columns
    .map(({ key }) => key)
    .filter((key) => key !== '' && !isKnownColumn(key, 'choices'));
  for (const row of table.rows) {
    const list = row.take('list_name');
    const name = row.take('name');
    const words = row.takeWords('label');
    if (list === '') {
      const [label = ''] = words.values();
      if (name || label) reading.tell(row, 'CHOICE_UNLISTED', { name: name || label });
      continue;
    }
    if (name === '') reading.refuse(row, 'CHOICE_UNNAMED');
    const listChoices = reading.lists.get(list) ?? [];
    reading.lists.set(list, listChoices);
    const duplicate = listChoices.find((one) => one.name === name);
    if (!duplicate) listChoices.push({ row, again: [], name, words });
    else {
      duplicate.again.push(row);
      if (row.extra.size === 0 || !isDeepEqual([...duplicate.words], [...words]))
        reading.tell(row, 'CHOICES_SAME', { list, name });
    }
  }
}

export function noteUnusedLists(reading: XlsformImportContext): void {
  for (const [list, choices] of reading.lists) {
    const [first] = choices;
    if (first && !reading.usedLists.has(list)) reading.tell(first.row, 'LIST_UNUSED', { list });
    for (const row of choices.flatMap((choice) => [choice.row, ...choice.again])) {
      for (const key of row.extra.keys()) if (reading.filterColumns.has(key)) row.take(key);
      reading.tellRest(row);
    }
  }
}
