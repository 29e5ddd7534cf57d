/** XLSForm files for tests, from sheets written as lines with bars. */
import writeXlsx from 'write-excel-file/node';

export type Lines = Record<string, string[]>;

export const sheetsOf = (sheets: Lines) =>
  Object.entries(sheets).map(([name, lines]) => ({
    name,
    rows: lines.map((line) => line.split('|').map((cell) => cell.trim() || null)),
  }));

export async function xlsx(sheets: Lines): Promise<Buffer> {
  return await writeXlsx(
    sheetsOf(sheets).map(({ name, rows }) => ({
      sheet: name,
      data: rows.map((row) =>
        row.map((value) =>
          value === null ? null : { value: value in {} ? `${value} ` : value, type: String },
        ),
      ),
    })),
  ).toBuffer();
}

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
