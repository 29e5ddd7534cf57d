/** The findings about given interviews, for people who may see them. */
import type { z } from 'zod';
import type { QualityFinding } from '../../../../src/board/quality/schema.ts';
import { withQuery } from '../../session/api.ts';
import { fetchRows } from '../../session/fetch-rows.ts';
import { useReadsAll } from '../../session/session.tsx';
import type { ListOf } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';

export type Finding = z.infer<typeof QualityFinding>;

interface HasId {
  id: string;
}

export type RowWithFindings<T> = T & { findings?: Finding[] };

/** More than the interviews of one request can have. */
const MAX_FINDINGS = 5_000;
/** Maximum number of interviews per request. */
const MAX_SURVEYS = 200;

export const useMayReadQualityFindings = () => useReadsAll('Recruitment');

export const qualityFindingsPath = (surveys: readonly string[]) =>
  withQuery('/api/quality', { survey: surveys.join(','), limit: '200' });

export async function fetchFindings(surveys: readonly string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let from = 0; from < surveys.length; from += MAX_SURVEYS) {
    const survey = surveys.slice(from, from + MAX_SURVEYS).join(',');
    findings.push(...(await fetchRows<Finding>('/api/quality', { survey }, MAX_FINDINGS)).rows);
  }
  return findings;
}

const addFindings = <T extends HasId>(rows: T[], findings: Finding[]): RowWithFindings<T>[] =>
  rows.map((row) => ({ ...row, findings: findings.filter(({ survey }) => survey === row.id) }));

/** For one page of a list. */
export function useRowsWithFindings<T extends HasId>(
  rows: T[] | undefined,
): { rows: RowWithFindings<T>[] | undefined; error: unknown } {
  const sees = useMayReadQualityFindings();
  const ids = rows?.map(({ id }) => id) ?? [];
  const { data, isPlaceholderData, error } = useGet<ListOf<Finding>>(qualityFindingsPath(ids), {
    enabled: sees && ids.length > 0,
  });
  return { rows: rows && data && !isPlaceholderData ? addFindings(rows, data.data) : rows, error };
}

/** For the rows of a CSV file. */
export const useAddFindingsToRows = () =>
  useMayReadQualityFindings()
    ? async <T extends HasId>(rows: T[]) => addFindings(rows, await fetchFindings(rows.map(({ id }) => id)))
    : undefined;
