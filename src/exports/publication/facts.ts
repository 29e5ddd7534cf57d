/** The contents of a publication, as plain data from which its files are written. */
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import type { CountTables } from '../../statistics/counts/tables/schema.ts';
import type { StudyRecord } from '../../study/settings/model.ts';

export interface Bounds {
  low: number;
  high: number;
}

export interface PublishedLevel {
  /** Null for a number. */
  value: string | null;
  title: TextByLanguage | null;
  /** RDS-II; null if suppressed or nobody answered. */
  estimate: number | null;
  /** The CHAIN interval. */
  interval: Bounds | null;
  /** The TREE interval. */
  cautious: Bounds | null;
  designEffect: number | null;
  homophily: number | null;
  isHidden: boolean;
}

/** Compared with the previous round. */
export interface PublishedRoundChange {
  from: string;
  /** For each answer or total, what the samples show. */
  sentences: { name: string; value: string | null; text: string }[];
  /** What makes the rounds hard to compare. */
  differed: string[];
}

export interface PublishedOutcome {
  /** Base name of its files, without extension. */
  file: string;
  name: string;
  kind: 'CATEGORY' | 'NUMBER';
  title: TextByLanguage;
  /** Both are null if few answered or few didn't, because they would reveal the size of a suppressed cell. */
  known: number | null;
  missing: number | null;
  few: 'ANSWERED' | 'MISSING' | null;
  notAsked: number;
  /** Which interval is shown first; null if there is none yet. */
  first: 'CHAIN' | 'TREE' | null;
  recruitmentHomophily: number | null;
  levels: PublishedLevel[];
  warnings: string[];
  change: PublishedRoundChange | null;
}

export interface PublishedPopulationCount {
  file: string;
  name: string;
  /** Who was counted, and the date. */
  definition: string;
  asOf: string;
  /** Definition, source, formula and assumptions, if the tables don't include them. */
  text: string | null;
  total: { estimate: number; low: number | null; high: number | null } | null;
  change: PublishedRoundChange | null;
  tables: CountTables;
}

export interface StrobeItem {
  item: string;
  name: string;
  text: string;
  reason: string | null;
}

/** What all pages show, regardless of the results. */
export interface PublicationHead {
  study: string;
  /** Null if the study has only one sample. */
  round: string | null;
  /** The responsible organization, and an email or web address for questions; empty if the study has none. */
  organization: string;
  contact: string;
  /** A date. */
  asOf: string;
  languages: readonly string[];
  sample: { n: number; seeds: number; waves: number; firstDay: string | null; lastDay: string | null };
  /** How interviews were conducted; null if not stated. */
  mode: StudyRecord['interviewMode'];
  sizeQuestion: TextByLanguage | null;
  smallestCell: number;
}

export interface Publication extends PublicationHead {
  outcomes: PublishedOutcome[];
  counts: PublishedPopulationCount[];
  report: StrobeItem[];
}

export const englishText = (texts: TextByLanguage | null, otherwise: string): string =>
  texts?.en || Object.values(texts ?? {}).find(Boolean) || otherwise;

/** If there is no round name, the study's name alone. */
export const publicationTitleOf = ({ study, round }: PublicationHead): string =>
  round === null ? study : `${study}: ${round}`;

export const isWebAddress = (contact: string): boolean => contact.includes('://');

export const contactLink = (contact: string): string =>
  isWebAddress(contact) ? contact : `mailto:${contact}`;

const dayText = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
export const longDay = (day: string): string => dayText.format(new Date(day));

/** "between ... and ...", or a single date. */
export const dateRangeText = ({ firstDay, lastDay }: PublicationHead['sample']): string =>
  firstDay === null
    ? ''
    : lastDay === null || lastDay === firstDay
      ? ` on ${longDay(firstDay)}`
      : ` between ${longDay(firstDay)} and ${longDay(lastDay)}`;

const clean = (figure: number, decimals: number) => figure.toFixed(decimals);
export const percentText = (share: number): string => `${clean(100 * share, 1)}%`;
export const wholeNumberText = (figure: number): string => Math.round(figure).toLocaleString('en-US');
export const outcomeFigureText = (kind: PublishedOutcome['kind'], figure: number): string =>
  kind === 'CATEGORY' ? percentText(figure) : clean(figure, 2);

export const levelName = ({ title, value }: PublishedLevel): string => englishText(title, value ?? 'Mean');

/** Everyone gave the same answer, so there is nothing to estimate. */
export const isUnanimousOutcome = ({ kind, levels }: PublishedOutcome): boolean =>
  kind === 'CATEGORY' && levels.length === 1 && !levels[0]?.isHidden;

/** The first sentence about a level: the estimate with its two intervals. */
export function levelSentence({ kind, first }: PublishedOutcome, level: PublishedLevel): string {
  const { estimate, interval, cautious, isHidden } = level;
  if (isHidden) return 'Too few people gave this answer, or another one, to show a result.';
  if (estimate === null) return 'There is no estimate.';
  const format = (figure: number) => outcomeFigureText(kind, figure);
  const range = ({ low, high }: Bounds) => `${format(low)} to ${format(high)}`;
  const figure =
    kind === 'CATEGORY'
      ? `An estimated ${format(estimate)} of the population would answer “${levelName(level)}”.`
      : `The estimated mean is ${format(estimate)}.`;
  if (!interval && !cautious) return `${figure} No confidence interval has been calculated.`;
  if (!interval || first === null)
    return `${figure} 95% confidence interval: ${range((cautious ?? interval) as Bounds)}.`;
  if (!cautious) return `${figure} 95% confidence interval: ${range(interval)}.`;
  return first === 'TREE'
    ? `${figure} 95% confidence interval: ${range(cautious)}. If whom people recruit depended on their answer and site alone, it would be ${range(interval)}, but chains differ by more than that.`
    : `${figure} 95% confidence interval: ${range(interval)}, if whom people recruit depends on their answer and site alone. Without that assumption: ${range(cautious)}.`;
}
