/** Loads the sample for its files, and checks every rule that readers of the files rely on. */
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { recruitmentTree } from '../../statistics/estimators/sample/sample.ts';
import { loadSample, type SampleRequest, type StudySample } from '../../statistics/sample/load.ts';
import type { SampleTable } from './sample-table.ts';

/** 409 with the offending interviews; a sample that breaks a rule isn't exported. */
export async function requireSoundSample(request: SampleRequest): Promise<StudySample> {
  const sample = await loadSample({ ...request, anyLevels: true });
  const errors = breachesOf(sample);
  if (errors.length > 0) throw problem('SAMPLE_BROKEN', { errors });
  return sample;
}

/** Not checked: ids are unique and seeds have the same mark, because of how the sample is stored and written. */
function breachesOf({ ids, circles, reportedSizes }: StudySample): FieldError[] {
  const inCircles = circles.flatMap((circle) =>
    circle.map((id) =>
      circle.length === 1
        ? fieldError(id, 'OWN_RECRUITER')
        : fieldError(id, 'IN_CIRCLE', { ids: circle.join(', ') }),
    ),
  );
  const sizes = ids.filter((_, row) => reportedSizes[row]! < 0);
  return [...inCircles, ...sizes.map((id) => fieldError(id, 'SIZE_BELOW_ZERO'))];
}

export function sampleTableOf({
  ids,
  recruiters,
  reportedSizes,
  times,
  coupons,
  outcomes,
}: StudySample): SampleTable {
  return { ids, recruiters, reportedSizes, times, coupons, outcomes, tree: recruitmentTree(recruiters) };
}

/** Interviews that started before their recruiter's, by their device's clock. */
export function* rowsStartedBeforeRecruiter({
  ids,
  heldAt,
  times,
}: Pick<StudySample, 'ids' | 'heldAt' | 'times'>): Generator<{
  id: string;
  deviceTime: Date;
  adjustedTime: Date;
}> {
  for (const [row, id] of ids.entries())
    if (heldAt[row]! < times[row]!)
      yield { id, deviceTime: new Date(heldAt[row]!), adjustedTime: new Date(times[row]!) };
}
