/** Unknown columns whose names are nearly those of known ones. Browser-safe. */

/** Columns with texts; all others have rules. */
const TEXTS = ['label', 'hint', 'guidance_hint', 'constraint_message', 'required_message', 'form_title'];

export const isXlsformTextColumn = (column: string): boolean => TEXTS.includes(column);

/** The known column that was probably meant; null if none is similar. */
export function closestColumn(head: string, knownHeads: readonly string[]): string | null {
  const [first = '', second = ''] = head.split('::');
  const columnName = (/^(bind|body|control)$/i.test(first.trim()) ? second : first)
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_');
  let [best, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const one of knownHeads) {
    const distance = distanceOf(columnName, one);
    // In a short name, two changed letters make another word.
    if (distance <= (one.length <= 5 ? 1 : 2) && distance < least) [best, least] = [one, distance];
  }
  return best;
}

const MAX_EDITS = 3;

/** Number of letters that are missing, added, wrong or swapped with their neighbor; at most `MAX_EDITS`. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) >= MAX_EDITS) return MAX_EDITS;
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? MAX_EDITS;
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : MAX_EDITS,
      );
    }
  }
  return Math.min(at(one.length, other.length), MAX_EDITS);
}
