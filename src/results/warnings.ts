/** What makes an estimate doubtful, each with its number, its reason and what to do. All thresholds stand here. */
import type { Estimated } from './estimate.ts';
import type { WarningCode } from './warning-codes.ts';

export const THRESHOLDS = {
  /** A share may move by so much; the mean of a number by that part of itself. */
  moved: 0.02,
  chainShare: 0.5,
  waves: 4,
  homophily: 1.5,
  effectiveSize: 50,
  sizesMissing: 0.05,
  heaped: 0.6,
  weight: 0.05,
  sampleShare: 0.2,
  strangers: 0.05,
  missing: 0.1,
  /** A tree is large with this share of the people and so many known answers. */
  treeShare: 0.1,
  treeKnown: 20,
};

export interface Warning {
  code: WarningCode;
  message: string;
  value: number;
}

export interface WarningsOf {
  found: Estimated;
  n: number;
  sizesMissing: number;
  population: number | null;
  isShare: boolean;
  /** Of answers to `recruiterRelation`; null where it is not asked, or may not be told. */
  strangers: number | null;
  /** [levels] which ones may be told of. */
  shown: readonly boolean[];
  /** [trees][levels] the same of each tree of `bottleneck`. */
  shownInTrees: readonly (readonly boolean[])[];
  /** [levels] of the latest run with intervals; null without one. */
  effectiveSizes: readonly (number | null)[] | null;
}

export function warningsOf(of: WarningsOf): Warning[] {
  if (of.n === 0) return [];
  return [...ofRecruitment(of), ...ofSizes(of), ...ofAnswers(of)];
}

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;
const figure = (value: number) => String(Math.round(value * 1_000) / 1_000);

function* ofRecruitment({ found, n, shown, strangers }: WarningsOf): Generator<Warning> {
  const dominating = (found.chains[0]?.people ?? 0) / n;
  if (dominating > THRESHOLDS.chainShare)
    yield {
      code: 'ONE_CHAIN_DOMINATES',
      value: dominating,
      message: `${percent(dominating)} of the people go back to one seed, so that the estimate tells of its surroundings. Plant seeds elsewhere and let their chains grow.`,
    };
  const waves = wavesOfMost(found, n);
  if (waves < THRESHOLDS.waves)
    yield {
      code: 'FEW_WAVES',
      value: waves,
      message: `The trees with most people have only ${waves} waves beyond their seeds; fewer than ${THRESHOLDS.waves} still show how the seeds were chosen. Go on until the chains are longer.`,
    };
  const homophily = homophilyOf(found, shown);
  if (homophily !== null && homophily > THRESHOLDS.homophily)
    yield {
      code: 'SAME_TO_SAME',
      value: homophily,
      message: `People bring people like themselves ${figure(homophily)} times as often as chance would. Estimates then need far more interviews: see the interval, and look at each group by itself.`,
    };
  else if (hasEmptyTransition(found, shown))
    yield {
      code: 'SAME_TO_SAME',
      value: 0,
      message:
        'One group never recruited another, so that nothing is known of the ties between them. Plant seeds in each of them.',
    };
  const absorbing = absorbingLevels(found, shown);
  if (absorbing > 0)
    yield {
      code: 'ABSORBING',
      value: absorbing,
      message:
        'A group recruits nobody but its own, and RDS-I gives it all of the population. Do not use RDS-I here; look at RDS-II.',
    };
  if (strangers !== null && strangers > THRESHOLDS.strangers)
    yield {
      code: 'STRANGERS',
      value: strangers,
      message: `${percent(strangers)} were recruited by a stranger: coupons may be sold or handed out at random. Talk with those who recruit, and look at how coupons are given.`,
    };
}

function* ofSizes({ found, n, sizesMissing, population }: WarningsOf): Generator<Warning> {
  const missing = sizesMissing / n;
  if (missing > THRESHOLDS.sizesMissing)
    yield {
      code: 'MANY_SIZES_MISSING',
      value: missing,
      message: `${percent(missing)} have no network size, or 0; each of them counts as the largest of all, and so weighs least. Ask again, and train how the question is asked.`,
    };
  const heaped = found.above10 > 0 ? found.heaped / found.above10 : 0;
  if (heaped > THRESHOLDS.heaped)
    yield {
      code: 'SIZES_HEAPED',
      value: heaped,
      message: `${percent(heaped)} of the network sizes above 10 end in 0 or 5: people round. Ask for the number in smaller parts.`,
    };
  if (found.largestWeight > THRESHOLDS.weight)
    yield {
      code: 'ONE_WEIGHS_MUCH',
      value: found.largestWeight,
      message: `One person makes up ${percent(found.largestWeight)} of the estimate, having named a very small network. Check that interview, and compare with the trimmed estimate.`,
    };
  if (found.sizeBelowRecruits > 0)
    yield {
      code: 'SIZE_BELOW_RECRUITS',
      value: found.sizeBelowRecruits,
      message: `${found.sizeBelowRecruits} recruited more people than they said to know. Check these interviews.`,
    };
  const share = population === null ? 0 : n / population;
  if (share > THRESHOLDS.sampleShare)
    yield {
      code: 'SAMPLE_IS_LARGE_SHARE',
      value: share,
      message: `The sample is ${percent(share)} of the population, and RDS-II takes it for a small part. Look at SS instead.`,
    };
}

function* ofAnswers(of: WarningsOf): Generator<Warning> {
  const { found, n, shown, isShare, effectiveSizes } = of;
  const { rds2, ssLow, ssHigh } = found.figures;
  const gap = isShare ? figure : (of: number) => `${percent(of)} of itself`;
  const moved = largestGap(found.quarterAgo, rds2, shown, isShare);
  if (moved > THRESHOLDS.moved)
    yield {
      code: 'STILL_MOVING',
      value: moved,
      message: `The last quarter of the interviews moved RDS-II by ${gap(moved)}. It has not settled: go on before you report it.`,
    };
  const matters = largestGap(ssLow, ssHigh, shown, isShare);
  if (matters > THRESHOLDS.moved)
    yield {
      code: 'POPULATION_MATTERS',
      value: matters,
      message: `SS moves by ${gap(matters)} between the lowest and the highest size of the population. Report both, or find out more of the size.`,
    };
  const missing = (n - found.known) / n;
  if (missing > THRESHOLDS.missing)
    yield {
      code: 'FEW_KNOWN',
      value: missing,
      message: `${percent(missing)} gave no answer; the estimate takes them for being like the others. Find out who does not answer, and why.`,
    };
  if (!effectiveSizes) return;
  const least = Math.min(
    ...effectiveSizes.flatMap((one, level) => (shown[level] && one !== null ? [one] : [])),
  );
  if (least < THRESHOLDS.effectiveSize)
    yield {
      code: 'NOT_PRECISE',
      value: least,
      message: `This is as good as ${Math.round(least)} random interviews. Do not publish it as it is; longer chains from more seeds help most.`,
    };
  const apart = treesApart(of);
  if (apart > 1)
    yield {
      code: 'SEEDS_DIFFER',
      value: apart,
      message: `Two large trees are ${figure(apart)} times as far apart as their joint error allows: where a chain began still shows. Go on until they meet, or report them apart.`,
    };
}

/** How deep the deepest is of the largest trees that hold more than half of the people. */
function wavesOfMost({ chains }: Estimated, n: number): number {
  let people = 0;
  let deepest = 0;
  for (const chain of chains) {
    if (people > n / 2) break;
    people += chain.people;
    deepest = Math.max(deepest, chain.waves);
  }
  return deepest;
}

/** Of all together, and of each level that is shown. */
function homophilyOf({ homophily }: Estimated, shown: readonly boolean[]): number | null {
  if (!homophily || !shown.includes(true)) return null;
  const all = [homophily.recruitment, ...homophily.population.filter((_, level) => shown[level])];
  const known = all.filter((one) => one !== null);
  return known.length > 0 ? Math.max(...known) : null;
}

function hasEmptyTransition({ transitions }: Estimated, shown: readonly boolean[]): boolean {
  const { counts = [] } = transitions ?? {};
  return counts.some((row, a) => shown[a] && row.some((count, b) => shown[b] && count === 0));
}

/** Levels that recruited, and recruited only themselves. */
function absorbingLevels({ transitions }: Estimated, shown: readonly boolean[]): number {
  const { counts = [] } = transitions ?? {};
  if (counts.length < 2) return 0;
  return counts.filter((row, a) => shown[a] && row[a]! > 0 && row.every((count, b) => a === b || count === 0))
    .length;
}

function largestGap(
  one: readonly number[] | null,
  other: readonly number[] | null,
  shown: readonly boolean[],
  isShare: boolean,
): number {
  if (!one || !other) return 0;
  const gaps = one.map((value, level) => {
    const gap = shown[level] ? Math.abs(value - other[level]!) : 0;
    return isShare || gap === 0 ? gap : gap / Math.max(Math.abs(value), Math.abs(other[level]!));
  });
  return Math.max(0, ...gaps);
}

/** The widest gap of two large trees in joint errors at 95 %, as if both were of the whole, with its design effect. */
function treesApart({ found, n, shown, shownInTrees, effectiveSizes }: WarningsOf): number {
  let widest = 0;
  for (const [level, effective] of (effectiveSizes ?? []).entries()) {
    const ofOne = found.variances?.[level];
    if (!shown[level] || !effective || ofOne === undefined) continue;
    const variance = ofOne * (found.known / effective);
    const large = found.bottleneck.flatMap(({ people, counts, figures }, tree) => {
      if (!shownInTrees[tree]![level]) return [];
      const known = counts.reduce((sum, count) => sum + count, 0);
      const isLarge = people >= n * THRESHOLDS.treeShare && known >= THRESHOLDS.treeKnown;
      return isLarge && figures ? [{ figure: figures[level]!, known }] : [];
    });
    for (const a of large)
      for (const b of large) {
        const error = 1.96 * Math.sqrt(variance / a.known + variance / b.known);
        if (error > 0) widest = Math.max(widest, Math.abs(a.figure - b.figure) / error);
      }
  }
  return widest;
}
