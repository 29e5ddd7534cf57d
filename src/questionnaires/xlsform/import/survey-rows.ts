/** The rows of a survey sheet with types and names. Needed before rules are read, because rules may name later rows. Browser-safe. */

import { rowTypeOf, type XlsformRowType } from '../row-types.ts';
import type { XlsformImportContext } from './import-context.ts';
import { datePrecisionOf, importedAnswerKindOf } from './import-question.ts';
import { isYes, type SheetRow, type SheetTable } from './table.ts';

const MAX_DEPTH = 12;

export interface XlsformSurveyRow {
  row: SheetRow;
  type: XlsformRowType;
  name: string;
  repeat: string | null;
}

interface OpenGroup {
  name: string;
  row: SheetRow;
  what: string;
  /** Names used directly within it. */
  usedNames: Set<string>;
}

export function readSurveySheetRows(reading: XlsformImportContext, table: SheetTable): XlsformSurveyRow[] {
  const lines: XlsformSurveyRow[] = [];
  const open: OpenGroup[] = [];
  const top = new Set<string>();
  const names = new Names(reading);
  /** Open groups within a group that is left out. */
  const skipped: SheetRow[] = [];
  for (const row of table.rows) {
    const typeText = row.take('type');
    const isDisabled = isYes(row.take('disabled'));
    if (typeText === '') {
      const isComment = row.take('name') === '' && row.takeWords('label').size === 0;
      if (!isComment && !isDisabled && skipped.length === 0) reading.refuse(row, 'TYPE_MISSING');
      continue;
    }
    const type = typeOf(row, typeText);
    const isEnd = type.is.startsWith('end');
    const isMatrix = type.is === 'begin matrix';
    if (skipped.length > 0 || isMatrix || (isDisabled && !isEnd)) {
      const name = row.take('name') || typeText;
      if (skipped.length === 0 && isMatrix) reading.tell(row, 'TYPE_LEFT_OUT', { type: type.type, name });
      else if (skipped.length === 0) reading.tell(row, 'DISABLED', { name });
      if (isEnd) skipped.pop();
      else if (isMatrix || type.is === 'begin') skipped.push(row);
      continue;
    }
    // A calculated value exists once per interview, not per repetition.
    const isCalculated = type.is === 'plain' && type.type === 'calculate';
    const openRepeat = isCalculated ? undefined : open.findLast(({ what }) => what === 'repeat');
    const repeat = openRepeat?.name ?? null;
    if (type.is === 'end matrix') reading.refuse(row, 'GROUP_END');
    if (type.is === 'end') {
      const last = open.pop();
      // A surplus end of a group is harmless, so it is only a note.
      if (!last) reading.tell(row, 'GROUP_END');
      else if (last.what !== type.what) reading.refuse(row, 'GROUP_END');
      if (last) lines.push({ row, type, name: '', repeat });
      continue;
    }
    const name = names.of(row, type, open.at(-1)?.usedNames ?? top);
    lines.push({ row, type, name, repeat });
    if (type.is === 'begin') {
      if (open.length === MAX_DEPTH) reading.refuse(row, 'GROUPS_DEEP', { most: MAX_DEPTH });
      open.push({ name, row, what: type.what, usedNames: new Set() });
      reading.names.set(name, { kind: type.what, repeat });
    } else if (type.is === 'list' || type.is === 'plain')
      reading.names.set(name, {
        kind: importedAnswerKindOf(type),
        repeat,
        ...datePrecisionOf(type, row),
        ...(type.is === 'list' && { choices: reading.valuesOf(type) }),
      });
    else if (isDay(type)) reading.names.set(name, { kind: 'date', repeat: null, clock: true });
    else if (name !== '') reading.names.set(name, { kind: 'text', repeat, leftOut: true });
  }
  for (const row of skipped) reading.refuse(row, 'GROUP_OPEN', { name: row.take('name') });
  for (const { row, name } of open) reading.refuse(row, 'GROUP_OPEN', { name });
  names.markAmbiguous();
  return lines;
}

/** With the appearance `search('file')`, choices come from that file. */
function typeOf(row: SheetRow, typeText: string): XlsformRowType {
  const type = rowTypeOf(typeText);
  const isSearched = type.is === 'list' && /(^|\s)search\s*\(/i.test(row.take('appearance'));
  return isSearched ? { is: 'file list', type: type.type } : type;
}

/** Metadata with the date of the interview. */
const isDay = (type: XlsformRowType) =>
  type.is === 'metadata' && ['today', 'start', 'end'].includes(type.type.toLowerCase());

/** In XLSForm, a name may be used again in another group; here, names are unique within the interview. */
class Names {
  readonly #reading: XlsformImportContext;
  readonly #twice = new Set<string>();

  constructor(reading: XlsformImportContext) {
    this.#reading = reading;
  }

  of(row: SheetRow, type: XlsformRowType, siblings: Set<string>): string {
    const reading = this.#reading;
    const nameText = row.take('name');
    if (type.is === 'unknown') reading.refuse(row, 'TYPE_UNKNOWN', { type: type.type });
    const isAsked = type.is === 'list' || type.is === 'plain';
    if (nameText === '' && isAsked && !(type.is === 'plain' && type.type === 'note')) {
      reading.refuse(row, 'NAME_MISSING');
      return '';
    }
    // Groups and informational texts have no answers, so their names don't matter.
    const isFree = type.is === 'begin' && type.what === 'group';
    const name = nameText || (isFree || isAsked || type.is === 'begin' ? `row${row.place.row}` : '');
    if (name === '') return '';
    // A group must not take a name that a later question may need.
    const own = reading.freeNames.of(name, isFree ? '__' : '_');
    if (own !== name && !isFree) {
      if (siblings.has(name.toLowerCase())) reading.refuse(row, 'NAME_TAKEN', { name });
      else if (type.is !== 'metadata' && type.is !== 'left out')
        reading.tell(row, 'NAME_TWICE', { from: name, name: own });
      this.#twice.add(name);
    }
    siblings.add(name.toLowerCase());
    return own;
  }

  /** A rule that uses a name with several questions is ambiguous. */
  markAmbiguous(): void {
    const { names } = this.#reading;
    for (const name of this.#twice) {
      const first = names.get(name);
      if (first && first.kind !== 'group') names.set(name, { ...first, twice: true });
    }
  }
}
