/** The report as plain text with marks, for a manuscript. */
import { isOfLevels, LEVEL_HEADS, type LevelGroup } from './report-levels.ts';
import { tableOf } from './report-table.ts';
import type { Report } from './results-wire.ts';

/** What would be read as a mark. */
const plain = (text: string) => text.replace(/[\\`*_[\]<>|#]/g, '\\$&');

const line = (cells: readonly unknown[]) =>
  `| ${cells.map((cell) => plain(String(cell ?? ''))).join(' | ')} |`;

const headed = (head: readonly string[]) => [line(head), line(head.map(() => '---')).replaceAll('\\', '')];

function tableIn(value: unknown): string[] {
  const table = tableOf(value);
  return table ? [...headed(table.head), ...table.rows.map(line), ''] : [];
}

function levelsIn(groups: LevelGroup[]): string[] {
  const rows = groups.flatMap(({ title, rows: levels }) => [
    `| **${plain(title)}** | | | |`,
    ...levels.map(({ label, known, mean, rds2 }) => line([label, known, mean, rds2])),
  ]);
  return rows.length > 0 ? [`## 14 ${LEVELS}`, '', ...headed(LEVEL_HEADS), ...rows, ''] : [];
}

/** The heading of what is told of all questions. */
export const LEVELS = 'The sample by answer, unweighted and weighted';

interface Around {
  name: string;
  asOf: string;
  groups: LevelGroup[];
}

export function markdownOf(report: Report, { name, asOf, groups }: Around): string {
  const items = report.items
    .filter((item) => !isOfLevels(item))
    .flatMap((item) => [
      `## ${plain(String(item.item))} ${plain(item.name)}`,
      '',
      item.reason ? `*${plain(item.reason)}*` : plain(item.text),
      '',
      ...tableIn(item.value),
    ]);
  return [`# ${plain(name)}`, '', plain(asOf), '', ...items, ...levelsIn(groups)].join('\n');
}
