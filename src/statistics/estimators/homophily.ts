/** Homophily: whether people recruit, and know, people like themselves more than by chance. */
import type { CategoryOutcome } from './outcome.ts';
import type { SampleTree } from './sample/sample.ts';

/**
 * Recruitment homophily: recruits in the same level as their recruiter, relative to what the margins alone imply; 1 =
 * none. Null if only one level recruits or is recruited, so that there is nothing to compare.
 */
export function recruitmentHomophily(counts: number[][]): number | null {
  let trace = 0;
  let total = 0;
  let expected = 0;
  counts.forEach((row, a) => {
    const rowSum = row.reduce((sum, count) => sum + count, 0);
    const columnSum = counts.reduce((sum, other) => sum + other[a]!, 0);
    trace += row[a]!;
    total += rowSum;
    expected += rowSum * columnSum;
  });
  return counts.length > 1 && expected > 0 ? (trace * total) / expected : null;
}

/**
 * Population homophily of each level: expected ties to the other levels by chance, divided by those that recruitment
 * shows; 1 = none, above 1 = homophily. Over respondents with recruits, all of whose answers are known. `weights` and
 * `sizes` [n]. Null if there is no such respondent or no tie to another level.
 */
export function populationHomophily(
  { levels, codes }: CategoryOutcome,
  { firstRecruit, recruits }: SampleTree,
  weights: Float64Array,
  sizes: Float64Array,
): (number | null)[] {
  const recruiting = [...codes.keys()].filter((i) => {
    const own = recruits.subarray(firstRecruit[i], firstRecruit[i + 1]);
    return own.length > 0 && own.every((recruit) => codes[recruit]! >= 0);
  });
  return levels.map((_, level) => {
    const all = new WeightedMean();
    const ofLevel = new WeightedMean();
    const ofRest = new WeightedMean();
    const across = new WeightedMean();
    for (const i of recruiting) {
      const [weight, size] = [weights[i]!, sizes[i]!];
      all.add(weight, size);
      if (codes[i]! < 0) continue;
      const mine = codes[i] === level;
      (mine ? ofLevel : ofRest).add(weight, size);
      const own = recruits.subarray(firstRecruit[i], firstRecruit[i + 1]);
      const others = own.reduce((sum, recruit) => sum + ((codes[recruit] === level) === mine ? 0 : 1), 0);
      across.add(weight, (size * others) / own.length);
    }
    const [m1, m0, m, s] = [ofLevel, ofRest, all, across].map((one) => one.value());
    if (m1 === null || m0 === null || !m || !s) return null;
    // Each share is calculated separately, because 1 - p loses precision if a share is tiny.
    const totalWeight = ofLevel.weight + ofRest.weight;
    return (2 * (ofLevel.weight / totalWeight) * (ofRest.weight / totalWeight) * m0! * m1!) / (s * m);
  });
}

/** Differential activity: a level's weighted mean network size divided by that of everyone else with a known answer. */
export function differentialActivity(
  { levels, codes }: CategoryOutcome,
  weights: Float64Array,
  sizes: Float64Array,
): (number | null)[] {
  const sums = levels.map(() => new WeightedMean());
  codes.forEach((code, i) => {
    if (code >= 0) sums[code]!.add(weights[i]!, sizes[i]!);
  });
  return sums.map((own) => {
    const rest = new WeightedMean();
    for (const other of sums) if (other !== own) rest.add(other.weight, other.value() ?? 0);
    const [mine, theirs] = [own.value(), rest.value()];
    return mine === null || !theirs ? null : mine / theirs;
  });
}

class WeightedMean {
  weight = 0;
  private sum = 0;

  add(weight: number, value: number): void {
    this.weight += weight;
    this.sum += weight * value;
  }

  value(): number | null {
    return this.weight > 0 ? this.sum / this.weight : null;
  }
}
