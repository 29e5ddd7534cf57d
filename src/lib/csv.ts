/** Reading CSV as RFC 4180 has it, and as spreadsheets write it: a byte order mark, either end of line, `;` between. */

export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number;
  cells: string[];
}

/** Throws where a quoted cell has no end. Lines without any text are left out. */
export function parseCsv(text: string): CsvRow[] {
  const plain = text.replace(/^\ufeff/, '');
  const comma = separatorOf(plain);
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  let at = 0;
  while (at < plain.length) {
    const { cell, next, lines } = readCell(plain, at, comma, line);
    row.cells.push(cell);
    line += lines;
    at = next;
    if (plain[at] === comma) {
      at += 1;
      // A comma at the very end has an empty cell behind it.
      if (at === plain.length) row.cells.push('');
    } else {
      at += plain.startsWith('\r\n', at) ? 2 : 1;
      rows.push(row);
      line += 1;
      row = { line, cells: [] };
    }
  }
  if (row.cells.length > 0) rows.push(row);
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

/** Spreadsheets of many countries put semicolons between; the heading tells. */
function separatorOf(text: string): string {
  const heading = text.slice(0, text.search(/[\r\n]|$/));
  return heading.split(';').length > heading.split(',').length ? ';' : ',';
}

function readCell(
  text: string,
  start: number,
  comma: string,
  line: number,
): { cell: string; next: number; lines: number } {
  if (text[start] !== '"') {
    let next = start;
    while (next < text.length && text[next] !== comma && text[next] !== '\n' && text[next] !== '\r') next++;
    return { cell: text.slice(start, next), next, lines: 0 };
  }
  let cell = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at++;
    } else return { cell, next: at + 1, lines: cell.split('\n').length - 1 };
  }
  throw new SyntaxError(`line ${line}: a quoted cell has no end`);
}
