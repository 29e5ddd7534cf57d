/** The report as plain text with marks, for a manuscript. */
import { tableOf } from './report-table.ts';
import type { Report } from './results-wire.ts';

/** What would be read as a mark. */
const plain = (text: string) => text.replace(/[\\`*_[\]<>|#]/g, '\\$&');

function tableIn(value: unknown): string[] {
  const table = tableOf(value);
  if (!table) return [];
  const line = (cells: readonly unknown[]) =>
    `| ${cells.map((cell) => plain(String(cell ?? ''))).join(' | ')} |`;
  return [
    line(table.head),
    line(table.head.map(() => '---')).replaceAll('\\', ''),
    ...table.rows.map(line),
    '',
  ];
}

export function markdownOf(report: Report, { name, asOf }: { name: string; asOf: string }): string {
  const items = report.items.flatMap((item) => [
    `## ${plain(String(item.item))} ${plain(item.name)}`,
    '',
    item.reason ? `*${plain(item.reason)}*` : plain(item.text),
    '',
    ...tableIn(item.value),
  ]);
  return [`# ${plain(name)}`, '', plain(asOf), '', ...items].join('\n');
}
