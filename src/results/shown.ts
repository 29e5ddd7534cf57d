/** What was estimated, as one caller may see it: figures of few people are taken out (sample/small-cells.ts). */
import type { LoadedOutcome, StudySample } from '../sample/load.ts';
import { hiddenAmong, hiddenInTable } from '../sample/small-cells.ts';
import type { Estimated, Sizes } from './estimate.ts';
import type { TreeIntervals } from './intervals.ts';
import { notesOf } from './notes.ts';
import type { Estimates } from './schema.ts';
import { type Warning, warningsOf } from './warnings.ts';

/** All that is kept of an answer; the same for everyone. */
export interface Answer {
  name: string;
  kind: 'CATEGORY' | 'NUMBER';
  asOf: Date;
  about: Pick<StudySample, 'orphans' | 'sizeMissing' | 'sizeZero'> & { n: number };
  population: Sizes;
  /** [levels], or one null of a number. */
  values: (string | null)[];
  titles: LoadedOutcome['levelTitles'];
  offered: LoadedOutcome['offered'];
  found: Estimated;
  /** Ids of the seeds of `found.bottleneck`. */
  treeSeeds: string[];
  /** Known answers to who the recruiter is, by level, and which level is a stranger (-1: nobody's). */
  relation: { counts: number[]; stranger: number } | null;
}

export function shownTo(answer: Answer, smallest: number, run: TreeIntervals | null): Estimates {
  const { found, about, values } = answer;
  if (about.n > 0 && about.n < smallest) return hiddenWhole(answer);
  const hidden = hiddenAmong(found.counts, smallest);
  const view = new View(values, hidden, smallest);
  const hiddenInTrees = hiddenByTree(answer, smallest);
  return {
    outcome: answer.name,
    kind: answer.kind,
    asOf: answer.asOf.toISOString(),
    sample: sampleOf(answer),
    levels: levelsOf(answer, view, run),
    run: run?.id ?? null,
    notes: notesOf(found, about.n, answer.population),
    ...mixing(found, view),
    convergence: convergence(found, view),
    bottleneck: bottleneck(answer, view, hiddenInTrees),
    warnings: warnings(answer, { hidden, hiddenInTrees, smallest }, run),
  };
}

/** Of so few people not even which answers they gave is told: the levels are those that can be given. */
function hiddenWhole(answer: Answer): Estimates {
  const nothing = { mean: null, rds1: null, rds2: null, ss: null, ssLow: null, ssHigh: null, trimmed: null };
  const levels = answer.kind === 'NUMBER' ? [{ value: null, title: null }] : answer.offered;
  return {
    outcome: answer.name,
    kind: answer.kind,
    asOf: answer.asOf.toISOString(),
    sample: sampleOf(answer),
    levels: levels.map((level) => ({ ...level, count: null, ...nothing, interval: null, hidden: true })),
    run: null,
    notes: [],
    transitions: null,
    homophily: null,
    differentialActivity: null,
    convergence: [],
    bottleneck: [],
    warnings: [],
  };
}

/** Which levels may be seen, and how they are told. */
class View {
  readonly values: (string | null)[];
  readonly hidden: boolean[];
  readonly smallest: number;

  constructor(values: (string | null)[], hidden: boolean[], smallest: number) {
    this.values = values;
    this.hidden = hidden;
    this.smallest = smallest;
  }

  /** Among fewer people more is hidden. */
  within(counts: readonly number[]): View {
    const here = hiddenAmong(counts, this.smallest);
    return new View(
      this.values,
      this.hidden.map((one, level) => one || here[level]!),
      this.smallest,
    );
  }

  figure(level: number, values: ArrayLike<number | null> | null): number | null {
    const value = this.hidden[level] ? null : (values?.[level] ?? null);
    return value !== null && Number.isFinite(value) ? value : null;
  }

  levels<T extends object>(fieldsOf: (level: number) => T): (T & { value: string | null; hidden?: true })[] {
    return this.values.map((value, level) => ({
      value,
      ...fieldsOf(level),
      ...(this.hidden[level] ? { hidden: true as const } : {}),
    }));
  }
}

function sampleOf({ about, found, population }: Answer): Estimates['sample'] {
  const { n, orphans, sizeMissing, sizeZero } = about;
  return {
    n,
    seeds: found.seeds,
    orphans,
    waves: found.waves,
    known: found.known,
    missing: n - found.known,
    sizeMissing,
    sizeZero,
    largestChain: n > 0 ? (found.chains[0]?.people ?? 0) / n : 0,
    populationSize: population.size,
  };
}

function levelsOf(
  { found, titles, values }: Answer,
  view: View,
  run: TreeIntervals | null,
): Estimates['levels'] {
  const { figures, counts } = found;
  return view.levels((level) => ({
    title: titles[level] ?? null,
    count: view.figure(level, counts),
    mean: view.figure(level, figures.mean),
    rds1: view.figure(level, figures.rds1),
    rds2: view.figure(level, figures.rds2),
    ss: view.figure(level, figures.ss),
    ssLow: view.figure(level, figures.ssLow),
    ssHigh: view.figure(level, figures.ssHigh),
    trimmed: view.figure(level, figures.trimmed),
    interval: view.hidden[level] ? null : (run?.of(values[level] ?? null) ?? null),
  }));
}

function mixing(
  { transitions, homophily, differentialActivity }: Estimated,
  view: View,
): Pick<Estimates, 'transitions' | 'homophily' | 'differentialActivity'> {
  const all = [...view.values.keys()];
  const isAllHidden = view.hidden.length > 0 && view.hidden.every(Boolean);
  const byLevel = (values: (number | null)[]) =>
    view.levels((level) => ({ estimate: view.figure(level, values) }));
  return {
    transitions: transitions && {
      counts: transitions.counts.map((row, from) =>
        all.map((to) => (view.hidden[from] ? null : view.figure(to, row))),
      ),
      stationary: transitions.stationary && all.map((level) => view.figure(level, transitions.stationary)),
      harmonicSizes: all.map((level) => view.figure(level, transitions.harmonicSizes)),
    },
    homophily: homophily && {
      recruitment: isAllHidden ? null : homophily.recruitment,
      population: byLevel(homophily.population),
    },
    differentialActivity: differentialActivity && byLevel(differentialActivity),
  };
}

function convergence({ convergence: steps }: Estimated, whole: View): Estimates['convergence'] {
  return steps.map(({ n, at, counts, rds1, rds2 }) => {
    const view = whole.within(counts);
    const levels = view.levels((level) => ({
      rds1: view.figure(level, rds1),
      rds2: view.figure(level, rds2),
    }));
    return { n, at: new Date(at).toISOString(), levels };
  });
}

/**
 * [trees][levels] by trees and by levels, like a table: what the trees say together is told, and what one says would
 * else be found by subtracting the others. Those beyond the ones that are told are one more row.
 */
function hiddenByTree({ found, about }: Answer, smallest: number): boolean[][] {
  const trees = found.bottleneck;
  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const counts = trees.map((tree) => tree.counts);
  const rest = found.counts.map((count, level) => count - sum(counts.map((tree) => tree[level]!)));
  const people = trees.map((tree) => tree.people);
  const totals = { rows: [...people, about.n - sum(people)], columns: found.counts };
  return hiddenInTable([...counts, rest], smallest, totals).cells;
}

/** Of a tree that hides a smaller one, which is left out, its people are told all the same: a chain's length is. */
function bottleneck(
  { found, treeSeeds }: Answer,
  { values, smallest }: View,
  hidden: readonly boolean[][],
): Estimates['bottleneck'] {
  return found.bottleneck.flatMap(({ people, figures }, at) => {
    if (people < smallest) return [];
    const view = new View(values, hidden[at]!, smallest);
    const levels = view.levels((level) => ({ rds2: view.figure(level, figures) }));
    return [{ seed: treeSeeds[at]!, n: people, levels }];
  });
}

interface Unseen {
  hidden: readonly boolean[];
  hiddenInTrees: readonly boolean[][];
  smallest: number;
}

function warnings(
  { found, about, population, kind, relation, values }: Answer,
  { hidden, hiddenInTrees, smallest }: Unseen,
  run: TreeIntervals | null,
): Warning[] {
  return warningsOf({
    found,
    n: about.n,
    sizesMissing: about.sizeMissing + about.sizeZero,
    population: population.size,
    isShare: kind === 'CATEGORY',
    strangers: relation && strangersAmong(relation, smallest),
    shown: hidden.map((one) => !one),
    shownInTrees: hiddenInTrees.map((tree) => tree.map((one) => !one)),
    effectiveSizes: run && values.map((value) => run.of(value)?.effectiveSize ?? null),
  });
}

/** The share of those who were recruited by a stranger, of those who say by whom; null where that is hidden. */
function strangersAmong({ counts, stranger }: NonNullable<Answer['relation']>, smallest: number) {
  if (hiddenAmong(counts, smallest)[stranger]) return null;
  return (counts[stranger] ?? 0) / counts.reduce((all, one) => all + one, 0);
}
