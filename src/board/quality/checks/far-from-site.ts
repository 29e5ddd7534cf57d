/**
 * FAR_FROM_SITE: an interview further from its site than the study allows, even allowing for the accuracy of the
 * position.
 */
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { arrivalTimeOf, type Finding, isCompletedNotRejected, roundTo, surveyFinding } from '../finding.ts';

const EARTH_RADIUS_METERS = 6_371_000;
const RADIAN = Math.PI / 180;

export interface SitePosition {
  id: string;
  latitude: number;
  longitude: number;
}

interface Position {
  latitude: number;
  longitude: number;
}

export interface SitePositions {
  /** In meters. */
  siteRadius: number;
  /** Without sites of the type STREET, which have no single location. */
  sites: SitePosition[];
}

export function findFarFromSite({ interviews }: StudyTable, { siteRadius, sites }: SitePositions): Finding[] {
  const byId = new Map(sites.map((one) => [one.id, one]));
  const byCode = interviews.site.values.map((id) => byId.get(id));
  const findings: Finding[] = [];
  for (let row = 0; row < interviews.size; row++) {
    const site = byCode[interviews.site.codes[row]!];
    const position = site && isCompletedNotRejected(interviews, row) ? interviews.positionOf(row) : null;
    if (!site || !position) continue;
    const distance = metersBetween(site, position);
    const beyond = distance - position.accuracy;
    if (beyond <= siteRadius) continue;
    findings.push(
      surveyFinding(interviews, row, {
        check: 'FAR_FROM_SITE',
        value: roundTo(distance, 0),
        expected: roundTo(siteRadius + position.accuracy, 0),
        at: arrivalTimeOf(interviews, row),
        times: beyond / siteRadius,
      }),
    );
  }
  return findings;
}

/** Great-circle distance, by the haversine formula. */
export function metersBetween(a: Position, b: Position): number {
  const half = (from: number, to: number) => Math.sin(((to - from) * RADIAN) / 2) ** 2;
  const alongParallel =
    Math.cos(a.latitude * RADIAN) * Math.cos(b.latitude * RADIAN) * half(a.longitude, b.longitude);
  const square = half(a.latitude, b.latitude) + alongParallel;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(square)));
}
