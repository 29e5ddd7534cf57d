/**
 * The sample by answer: a heading per question with its answers, unweighted and weighted. In English, like the
 * report.
 */
import { tableFormatterFor, titleIn } from '../kit/format-figures.ts';
import type { ListedOutcome, StrobeReport } from '../kit/results-wire.ts';

type Item = StrobeReport['items'][number];

interface StoredLevel {
  level: string | null;
  known: number | null;
  mean: number | null;
  rds2: number | null;
  hidden?: true;
}

export interface LevelRow {
  label: string;
  known: string;
  mean: string;
  rds2: string;
}

export interface OutcomeLevelRows {
  name: string;
  title: string;
  rows: LevelRow[];
}

export const REPORT_LEVEL_COLUMNS = ['Answer', 'People', 'Unweighted', 'Weighted (RDS-II)'] as const;

const isLevel = (one: unknown): one is StoredLevel =>
  typeof one === 'object' && one !== null && 'level' in one && 'rds2' in one;

/** Whether the item's value is a list of levels, which is empty if nobody answered. */
export const hasLevels = ({ item, value }: Item): boolean =>
  item === '14' && Array.isArray(value) && value.every(isLevel);

const HIDDEN = 'not shown';

function rowOf(
  label: string,
  { known, mean, rds2, hidden }: StoredLevel,
  kind: ListedOutcome['kind'],
): LevelRow {
  const write = (value: number | null) => (value === null ? '–' : tableFormatterFor(kind)(value, 'en'));
  if (hidden) return { label, known: HIDDEN, mean: '–', rds2: '–' };
  return {
    label,
    known: known === null ? '–' : known.toLocaleString('en'),
    mean: write(mean),
    rds2: write(rds2),
  };
}

const EMPTY_LEVEL: StoredLevel = { level: '1', known: 0, mean: 0, rds2: 0 };

/** One choice of a multiple-choice question: `servicesUsed.food`, titled "Which services?: Food". */
function choiceOf(outcome: ListedOutcome, levels: StoredLevel[]): { title: string; row: LevelRow } {
  const whole = titleIn(outcome.title, 'en', outcome.name);
  const chosen = titleIn(outcome.levels?.find(({ value }) => value === '1')?.title, 'en', '');
  const end = chosen && whole.endsWith(chosen) ? whole.length - chosen.length - 2 : whole.lastIndexOf(': ');
  const [title, label] = [whole.slice(0, end), whole.slice(end + 2)];
  const level = levels.find((one) => one.level === '1') ?? EMPTY_LEVEL;
  return { title, row: rowOf(label, level, 'CATEGORY') };
}

export function reportLevelsByQuestion(items: Item[], outcomes: ListedOutcome[]): OutcomeLevelRows[] {
  const groups = new Map<string, OutcomeLevelRows>();
  for (const { name, value } of items.filter(hasLevels)) {
    const outcome = outcomes.find((one) => one.name === name);
    const levels = (value as StoredLevel[]) ?? [];
    if (!outcome || levels.every(({ known, hidden }) => !known && !hidden)) continue;
    const { question } = outcome;
    if (question !== name) {
      const { title, row } = choiceOf(outcome, levels);
      const group = groups.get(question) ?? { name: question, title, rows: [] };
      group.rows.push(row);
      groups.set(question, group);
    } else {
      const labelOf = (level: string | null) =>
        level === null
          ? 'Mean'
          : titleIn(outcome.levels?.find((one) => one.value === level)?.title, 'en', level);
      const rows = levels.map((level) => rowOf(labelOf(level.level), level, outcome.kind));
      groups.set(name, { name, title: titleIn(outcome.title, 'en', name), rows });
    }
  }
  return [...groups.values()];
}
