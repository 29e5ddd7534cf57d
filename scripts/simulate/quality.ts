/** How many made-up interviews the quality checks find, and how often they flag honest ones. */
import { formatPercent, formatTable } from '../format-table.ts';
import type { Client } from './client.ts';
import { MANNERS, type Manner } from './made-up.ts';

interface Survey {
  id: string;
  clientId: string;
  createdBy: string;
  location: string;
  recruiter: string | null;
}

interface Finding {
  check: string;
  survey: string | null;
  interviewer: string;
  location: string;
}

interface Row {
  check: string;
  /** Of the made-up interviews of each manner, the share that it found. */
  found: Record<Manner, number>;
  falseAlarms: number;
  /** For 100 honest interviews. */
  rate: number;
}

export interface QualityReport {
  madeUp: Record<Manner, number>;
  honest: number;
  checks: Row[];
  all: Row;
}

/** `madeUp`: by the id that the device gave them. */
export async function qualityOf(
  client: Client,
  token: string,
  madeUp: ReadonlyMap<string, Manner>,
): Promise<QualityReport> {
  const surveys = await allOf<Survey>(client, token, '/api/surveys');
  const findings = await allOf<Finding>(client, token, '/api/quality');
  const manners = new Map(surveys.flatMap(({ id, clientId }) => pair(id, madeUp.get(clientId))));
  const countOf = (manner: Manner, ids: Iterable<string>) =>
    [...ids].filter((id) => manners.get(id) === manner).length;
  const counts = perManner((manner) => countOf(manner, manners.keys()));
  const honest = surveys.length - manners.size;
  const rowOf = (check: string, some: Finding[]): Row => {
    const surveysOfPairs = some.map((one) => surveysOf(one, surveys));
    const hits = new Set(surveysOfPairs.flat().filter((id) => manners.has(id)));
    const falseAlarms = surveysOfPairs.filter((ids) => !ids.some((id) => manners.has(id))).length;
    const detectionRates = perManner((manner) =>
      counts[manner] > 0 ? countOf(manner, hits) / counts[manner] : 0,
    );
    return { check, found: detectionRates, falseAlarms, rate: (100 * falseAlarms) / honest };
  };
  const checks = [...new Set(findings.map(({ check }) => check))].sort();
  return {
    madeUp: counts,
    honest,
    checks: checks.map((check) =>
      rowOf(
        check,
        findings.filter((one) => one.check === check),
      ),
    ),
    all: rowOf('any of them', findings),
  };
}

const pair = (id: string, manner: Manner | undefined): [string, Manner][] => (manner ? [[id, manner]] : []);
const perManner = (of: (manner: Manner) => number) =>
  Object.fromEntries(MANNERS.map((manner) => [manner, of(manner)])) as Record<Manner, number>;

/** The interviews that someone would look at because of it. */
function surveysOf({ check, survey, interviewer, location }: Finding, all: Survey[]): string[] {
  if (survey === null) return idsOf(all.filter(({ createdBy }) => createdBy === interviewer));
  if (check !== 'COUPON_RUN') return [survey];
  return idsOf(all.filter((one) => one.recruiter === survey && one.location === location));
}

const idsOf = (surveys: Survey[]) => surveys.map(({ id }) => id);

async function allOf<T>(client: Client, token: string, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor = ''; ; ) {
    const page = await client.must<{ data: T[]; nextCursor: string | null }>(
      'GET',
      `${path}?limit=200${cursor}`,
      token,
    );
    rows.push(...page.data);
    if (!page.nextCursor) return rows;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

export function formatQuality({ madeUp, honest, checks, all }: QualityReport): string {
  const cells = ({ check, found: detectionRates, rate }: Row) => [
    check,
    ...MANNERS.map((manner) => (madeUp[manner] > 0 ? formatPercent(detectionRates[manner]) : '')),
    rate.toFixed(2),
  ];
  return [
    `Made-up interviews: ${MANNERS.map((manner) => `${madeUp[manner]} ${manner}`).join(', ')}; honest ones: ${honest}.`,
    'Percent found by the quality checks, and false alarms per 100 honest interviews:',
    formatTable(['', ...MANNERS, 'false alarms'], [...checks, all].map(cells)),
  ].join('\n');
}
