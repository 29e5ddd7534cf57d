/**
 * The recruitment tree for programs that draw and analyze networks: GraphML with all columns, DOT with only the shape.
 */
import {
  chunkLines,
  outcomeColumns,
  recruitmentColumns,
  type SampleColumn,
  type SampleTable,
} from './sample-table.ts';

const TYPES = { text: 'string', number: 'double', count: 'int' };
const NAMESPACE = 'http://graphml.graphdrawing.org/xmlns';

/** Edges lead from recruiter to recruit; missing values have no `<data>`. */
export function* graphml(table: SampleTable): Generator<string> {
  const { ids, recruiters } = table;
  const [, , ...place] = recruitmentColumns(table);
  const columns = [...place, ...outcomeColumns(table)];
  const keys = columns.map(
    ({ name, type }, at) =>
      `  <key id="d${at}" for="node" attr.name="${escapeXml(name)}" attr.type="${TYPES[type]}"/>\n`,
  );
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="${NAMESPACE}">\n${keys.join('')}`;
  yield '  <graph id="recruitment" edgedefault="directed">\n';
  yield* chunkLines(
    table,
    (row) => `    <node id="${escapeXml(ids[row]!)}">${dataOf(columns, row)}</node>\n`,
  );
  yield* chunkLines(table, (row) => {
    const recruiter = recruiters[row]!;
    if (recruiter < 0) return '';
    return `    <edge source="${escapeXml(ids[recruiter]!)}" target="${escapeXml(ids[row]!)}"/>\n`;
  });
  yield '  </graph>\n</graphml>\n';
}

function dataOf(columns: readonly SampleColumn[], row: number): string {
  let data = '';
  for (const [at, column] of columns.entries()) {
    const value = column.at(row);
    if (value !== null) data += `<data key="d${at}">${escapeXml(String(value))}</data>`;
  }
  return data;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML can't represent in any form. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: just these are looked for.
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
export const escapeXml = (text: string) =>
  text
    .replace(NOT_IN_XML, '')
    .toWellFormed()
    .replace(/[&<>"]/g, (one) => ENTITIES[one]!);

export function* graphvizDot(table: SampleTable): Generator<string> {
  const { ids, recruiters, reportedSizes } = table;
  yield 'digraph rds {\n';
  yield* chunkLines(table, (row) => {
    const size = reportedSizes[row]!;
    return `  ${quoted(ids[row]!)}${Number.isNaN(size) ? '' : ` [size=${size}]`};\n`;
  });
  yield* chunkLines(table, (row) => {
    const recruiter = recruiters[row]!;
    return recruiter < 0 ? '' : `  ${quoted(ids[recruiter]!)} -> ${quoted(ids[row]!)};\n`;
  });
  yield '}\n';
}

const quoted = (id: string) => `"${id.replace(/["\\]/g, '\\$&')}"`;
