/**
 * A hash of the data that an estimate is based on: the same rows and answers give the same hash on every machine of the
 * service. Keyed with the service's secret, because with few people the answers could be recovered from a plain hash by
 * trying all possibilities.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { StudySample } from './load.ts';
import type { LoadedOutcome } from './sample.ts';
import { type SitePopulationSettings, siteSettingsFingerprint } from './sites.ts';

type Data = Pick<StudySample, 'ids' | 'recruiters' | 'reportedSizes' | 'times'> & {
  outcomes: readonly Pick<LoadedOutcome, 'name' | 'outcome'>[];
  study: SitePopulationSettings;
};

export function dataHash(
  { ids, recruiters, reportedSizes, times, outcomes, study }: Data,
  secret: string,
): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hash of the data', 32));
  const hash = createHmac('sha256', key).update(JSON.stringify(ids));
  for (const numbers of [recruiters, reportedSizes, times]) hash.update(numbers);
  for (const { name, outcome } of outcomes) {
    hash.update(JSON.stringify([name, outcome.kind, outcome.kind === 'CATEGORY' ? outcome.levels : null]));
    hash.update(outcome.kind === 'CATEGORY' ? outcome.codes : outcome.values);
  }
  hash.update(siteSettingsFingerprint(study));
  return hash.digest('hex');
}
