/** The day before the end, closed at the first site, so that the demo's accounts have one. */
import type { IncentiveMethod } from '../../src/interviews/incentives/schema.ts';
import { addDays, isoDateAt } from '../../src/platform/lib/day.ts';
import type { FinishedSimulation } from './simulate-here.ts';
import type { StudyPlan } from './study.ts';

interface Summary {
  byMethod: { method: IncentiveMethod; total: string }[];
}

/** As in any real cash box. */
const MISSING_CASH = 10;

export async function closeLastDay(
  { end, zone }: StudyPlan,
  { client, team }: FinishedSimulation,
): Promise<void> {
  const location = team.sites[0]?.id;
  if (!location) return;
  const { token } = team.admin;
  const day = addDays(isoDateAt(end, zone), -1);
  const query = new URLSearchParams({ location, from: day, to: day });
  const { byMethod } = await client.must<Summary>('GET', `/api/incentives/summary?${query}`, token);
  const paid = Number(byMethod.find(({ method }) => method === 'CASH')?.total ?? 0);
  const opening = 100 * Math.ceil((paid + 100) / 100);
  const countedCash = opening - paid - MISSING_CASH;
  const body = { location, day, opening: opening.toFixed(2), counted: countedCash.toFixed(2) };
  await client.must('POST', '/api/cash-days', token, body);
}
