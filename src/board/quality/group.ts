/** All findings of one check about one interviewer, as one row. */
import type { QualityCheckCode } from '../../interviews/surveys/checks.ts';
import { type Finding, findingId, severityOf } from './finding.ts';

export interface QualityFindingGroup {
  id: string;
  interviewer: string;
  check: QualityCheckCode;
  count: number;
  locations: string[];
  /** When the most recent one was first found, in milliseconds. */
  at: number;
  /** The severity of the worst finding. */
  rank: number;
}

export function findingGroupsOf(findings: readonly Finding[]): QualityFindingGroup[] {
  const groups = new Map<string, QualityFindingGroup>();
  for (const one of findings) {
    const { interviewer, check, location, at } = one;
    const id = findingId(check, `by ${interviewer}`);
    const group = groups.get(id) ?? { id, interviewer, check, count: 0, locations: [], at, rank: 0 };
    group.count++;
    if (!group.locations.includes(location)) group.locations.push(location);
    group.at = Math.max(group.at, at);
    group.rank = Math.max(group.rank, severityOf(one));
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** Worst first; if equally bad, groups with more findings first. */
export const severityOfGroup = ({ rank, count }: QualityFindingGroup): number =>
  rank + Math.min(count, 999) / 1_000;
