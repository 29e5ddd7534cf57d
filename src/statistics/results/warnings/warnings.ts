/** What makes an estimate doubtful: each warning has its figures, the reason and what to do. */
import type { OutcomeEstimate } from '../estimate.ts';
import type { EstimateWarning } from '../schema.ts';
import { roundedFigure, roundedPercent, WARNING_THRESHOLDS, type WarningInput } from './warning-inputs.ts';
import { chainWarnings, intervalWarnings, outcomeWarnings } from './warnings-of-answers.ts';

export function estimateWarningsOf(of: WarningInput): EstimateWarning[] {
  if (of.n === 0) return [];
  const ofTheChains = [...chainWarnings(of)];
  const doDiffer = ofTheChains.some(({ code }) => code === 'SEEDS_DIFFER');
  return [
    ...recruitmentWarnings(of, doDiffer),
    ...sizeWarnings(of),
    ...outcomeWarnings(of),
    ...intervalWarnings(of),
    ...ofTheChains,
  ];
}

/** `doDiffer`: whether chains differ. One dominating chain does no harm while the chains are alike. */
function* recruitmentWarnings(
  { estimate, n, shown: isVisible, strangers }: WarningInput,
  doDiffer: boolean,
): Generator<EstimateWarning> {
  const dominating = (estimate.chains[0]?.people ?? 0) / n;
  if (doDiffer && dominating > WARNING_THRESHOLDS.chainShare)
    yield {
      code: 'ONE_CHAIN_DOMINATES',
      value: dominating,
      message: `${roundedPercent(dominating)} of the people trace back to one seed, and the chains differ, so the estimate mostly reflects that seed’s network. Let the other chains grow.`,
    };
  const waves = wavesOfMost(estimate, n);
  if (waves < WARNING_THRESHOLDS.waves)
    yield {
      code: 'FEW_WAVES',
      value: waves,
      message: `The largest chains have only ${waves} waves beyond their seeds. With fewer than ${WARNING_THRESHOLDS.waves}, the sample still reflects how the seeds were chosen. Continue until the chains are longer.`,
    };
  const homophily = homophilyOf(estimate, isVisible);
  if (homophily !== null && homophily > WARNING_THRESHOLDS.homophily)
    yield {
      code: 'SAME_TO_SAME',
      value: homophily,
      message: `People recruit others like themselves ${roundedFigure(homophily)} times as often as by chance. That makes the interval wide. Check the interval, and look at each group separately. If many chose by group whom to give a coupon, the estimate itself is off, and no method corrects that: ask them.`,
    };
  else if (hasEmptyTransition(estimate, isVisible))
    yield {
      code: 'SAME_TO_SAME',
      value: 0,
      message:
        'One group never recruited another, so nothing is known about the ties between them. Add seeds in each group.',
    };
  const absorbing = absorbingLevels(estimate, isVisible);
  if (absorbing > 0)
    yield {
      code: 'ABSORBING',
      value: absorbing,
      message:
        'One group recruits only from itself, so RDS-I either assigns the whole population to it or has no result. Use RDS-II instead of RDS-I here, and report estimates for each group.',
    };
  if (strangers !== null && strangers > WARNING_THRESHOLDS.strangers)
    yield {
      code: 'STRANGERS',
      value: strangers,
      message: `${roundedPercent(strangers)} were recruited by a stranger. Coupons may have been sold or handed out at random. Talk to recruiters, and check how coupons are handed out.`,
    };
}

function* sizeWarnings({ estimate, n, sizesMissing, population }: WarningInput): Generator<EstimateWarning> {
  const missing = sizesMissing / n;
  if (missing > WARNING_THRESHOLDS.sizesMissing)
    yield {
      code: 'MANY_SIZES_MISSING',
      value: missing,
      message: `${roundedPercent(missing)} have no network size, or 0. They are given the largest network size, so they get the lowest weight. Ask again, and train interviewers on this question.`,
    };
  const heaped = estimate.above10 > 0 ? estimate.heaped / estimate.above10 : 0;
  if (heaped > WARNING_THRESHOLDS.heaped)
    yield {
      code: 'SIZES_HEAPED',
      value: heaped,
      message: `${roundedPercent(heaped)} of the network sizes above 10 end in 0 or 5, so people are rounding. Ask for the number in smaller parts.`,
    };
  if (estimate.largestWeight > WARNING_THRESHOLDS.weight)
    yield {
      code: 'ONE_WEIGHS_MUCH',
      value: estimate.largestWeight,
      message: `One person makes up ${roundedPercent(estimate.largestWeight)} of the estimate, because of a very small network size. Check that interview, and compare with the trimmed estimate.`,
    };
  if (estimate.sizeBelowRecruits > 0)
    yield {
      code: 'SIZE_BELOW_RECRUITS',
      value: estimate.sizeBelowRecruits,
      message: `Interviews of people who recruited more people than they say they know: ${estimate.sizeBelowRecruits}. Check their network sizes.`,
    };
  const share = population === null ? 0 : n / population;
  if (share > WARNING_THRESHOLDS.sampleShare)
    yield {
      code: 'SAMPLE_IS_LARGE_SHARE',
      value: share,
      message: `The sample is ${roundedPercent(share)} of the population, but RDS-II assumes that it is small. Use SS and its interval instead.`,
    };
}

/** The waves of the deepest of the largest trees that together hold more than half of the people. */
function wavesOfMost({ chains }: OutcomeEstimate, n: number): number {
  let people = 0;
  let deepest = 0;
  for (const chain of chains) {
    if (people > n / 2) break;
    people += chain.people;
    deepest = Math.max(deepest, chain.waves);
  }
  return deepest;
}

/** The largest homophily, overall and among the shown levels. */
function homophilyOf({ homophily }: OutcomeEstimate, isVisible: readonly boolean[]): number | null {
  if (!homophily || !isVisible.includes(true)) return null;
  const all = [homophily.recruitment, ...homophily.population.filter((_, level) => isVisible[level])];
  const values = all.filter((one) => one !== null);
  return values.length > 0 ? Math.max(...values) : null;
}

/** False if there are no recruits at all, because then nothing can be said about who recruited whom. */
function hasEmptyTransition({ transitions }: OutcomeEstimate, isVisible: readonly boolean[]): boolean {
  const { counts = [] } = transitions ?? {};
  if (counts.every((row) => row.every((count) => count === 0))) return false;
  return counts.some((row, a) => isVisible[a] && row.some((count, b) => isVisible[b] && count === 0));
}

/** The number of levels that recruited, but only among themselves. */
function absorbingLevels({ transitions }: OutcomeEstimate, isVisible: readonly boolean[]): number {
  const { counts = [] } = transitions ?? {};
  if (counts.length < 2) return 0;
  return counts.filter(
    (row, a) => isVisible[a] && row[a]! > 0 && row.every((count, b) => a === b || count === 0),
  ).length;
}
