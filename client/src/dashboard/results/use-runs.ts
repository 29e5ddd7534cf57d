/** The running and finished interval calculations for a page. */
import { useEffect, useRef } from 'react';
import { request } from '../../session/api.ts';
import type { ListOf } from '../../wire.ts';
import { useRounds } from '../kit/data/rounds.ts';
import { refetchDashboard, useGet } from '../kit/data/use-list.tsx';
import { type AnalysisRun, type ESTIMATE_FILTERS, RUNS_PATH, type RunRequest } from './kit/results-wire.ts';

/** While a calculation is running. The service allows 60 requests a minute. */
const RUNNING_REFRESH_MS = 3_000;
const REFRESH_MS = 60_000;

type Filters = Partial<Record<(typeof ESTIMATE_FILTERS)[number], string>>;

const isOpen = ({ state }: AnalysisRun): boolean => state === 'WAITING' || state === 'RUNNING';

const isSameFilter = (one: string | number | null | undefined, other: string | undefined) =>
  String(one ?? '') === (other ?? '');

/** Whether the run is about the same people, and about this outcome or all outcomes. */
const isRunFor = (
  { outcome, round, location, from, to, questionnaire }: RunRequest,
  filters: Filters,
): boolean =>
  isSameFilter(round, filters.round) &&
  (outcome === null || outcome === filters.outcome) &&
  isSameFilter(location, filters.location) &&
  isSameFilter(from, filters.from) &&
  isSameFilter(to, filters.to) &&
  isSameFilter(questionnaire, filters.questionnaire);

/** `whenDone` is called whenever a calculation ends. */
export function useIntervalRuns(filters: Filters, whenDone: () => void) {
  const { data } = useGet<ListOf<AnalysisRun>>(`${RUNS_PATH}?limit=50&sort=-createdAt`, {
    refetchInterval: (answer) => (answer?.data.some(isOpen) ? RUNNING_REFRESH_MS : REFRESH_MS),
  });
  const { current } = useRounds();
  const open = useRef<string[]>([]);
  useEffect(() => {
    if (!data) return;
    const now = data.data.filter(isOpen).map(({ id }) => id);
    const ended = open.current.some((id) => !now.includes(id));
    open.current = now;
    if (ended) whenDone();
  }, [data, whenDone]);
  const round = filters.round || (current?.id ?? '');
  const runs = (data?.data ?? []).filter((run) => isRunFor(run.request, { ...filters, round }));
  return {
    open: runs.filter(isOpen),
    failed: runs[0]?.state === 'FAILED' ? runs[0] : null,
    start: (requests: WantedRun[]) => start(filters, requests),
  };
}

export type IntervalRunsState = ReturnType<typeof useIntervalRuns>;

type WantedRun = Pick<RunRequest, 'method' | 'estimator'>;

async function start(filters: Filters, requests: WantedRun[]): Promise<void> {
  for (const one of requests) {
    const { populationSize, populationSizeLow, populationSizeHigh, ...rest } = filters;
    const activeFilters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
    const size = one.estimator === 'SS' && populationSize ? { populationSize: Number(populationSize) } : {};
    await request<AnalysisRun>('POST', RUNS_PATH, { body: { ...one, ...activeFilters, ...size } });
  }
  await refetchDashboard();
}
