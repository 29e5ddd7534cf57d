import { csvText } from '../../src/exports/interviews/row-text.ts';
import { CsvError, parseCsv, rowsByColumnName } from '../../src/platform/lib/text/csv.ts';
import { decodeText } from '../../src/platform/lib/text/decode-text.ts';

const table = (text: string) => parseCsv(text).map(({ line, cells }) => [line, ...cells]);

test('a row has the line number where it begins, with any line endings and line breaks in cells', () => {
  const rows = table('\ufeffa;b\r\n"x\r\ny";2\r\n\r\n;;\nThe "hub";3\r"q\n";1\n\n');
  expect(rows).toEqual([
    [1, 'a', 'b'],
    [2, 'x\r\ny', '2'],
    [6, 'The "hub"', '3'],
    [7, 'q\n', '1'],
  ]);
});

test.each([',', ';', '\t'])('the separator is detected from the header: %j', (separator) => {
  const text = [`name${separator}type`, `"x${separator} y"${separator}z`].join('\n');
  expect(table(text)).toEqual([
    [1, 'name', 'type'],
    [2, `x${separator} y`, 'z'],
  ]);
});

test('columns are matched by name in any case and order; duplicate names are rejected', () => {
  const columns = { known: ['firstName', 'phone'] as const, needed: ['phone'] as const };
  const [row] = rowsByColumnName(parseCsv("Phone, FIRSTNAME \n'+12065550100,Bo"), columns);
  expect([row?.line, row?.cells.get('phone'), row?.cells.get('firstName')]).toEqual([
    2,
    '+12065550100',
    'Bo',
  ]);
  expect(() => rowsByColumnName(parseCsv('phone,PHONE\n1,2'), columns)).toThrow(CsvError);
});

test.each(['=1+1', '+cmd', '-x', '@sum', '＝1', '＋1', '－x', '＠x'])(
  '%s is the same after export and import',
  (text) => {
    const rows = parseCsv(csvText([['name'], [text]]));
    const [row] = rowsByColumnName(rows, { known: ['name'] as const, needed: ['name'] as const });
    expect(row?.cells.get('name')).toBe(text);
  },
);

test('an unclosed quoted cell is rejected', () => {
  expect(() => parseCsv(`a\n"${'x\n'.repeat(100_000)}`)).toThrow("a quoted cell isn't closed");
});

test('UTF-8 and UTF-16 are decoded, other encodings are rejected with the line number', () => {
  expect(decodeText(Buffer.from('José'))).toBe('José');
  expect(decodeText(Buffer.from('\ufeffJosé', 'utf16le'))).toBe('José');
  expect(() => decodeText(Buffer.from('a\r\nb\rJos\xe9', 'latin1'))).toThrow('line 3 is not UTF-8');
});
