/** Calculations of the intervals that a page shows, running or finished. */
import { useEffect, useRef } from 'react';
import { request } from '../../session/api.ts';
import type { ListOf } from '../../wire.ts';
import { refreshDesk, useGet } from '../kit/data/use-list.tsx';
import { gileIntervals } from './kit/gile-intervals.ts';
import {
  type ESTIMATE_FILTERS,
  type Estimates,
  type Method,
  RUNS,
  type Run,
  type RunRequest,
} from './kit/results-wire.ts';

/** While one is under way; the service allows 60 questions a minute. */
const SOON = 3_000;
const LATER = 60_000;

export const isOpen = ({ state }: Run): boolean => state === 'WAITING' || state === 'RUNNING';

type Asked = Partial<Record<(typeof ESTIMATE_FILTERS)[number], string>>;

/** Every run, the latest first; `whenDone` is called each time that one comes to its end. */
export function useRuns(whenDone: () => void = () => undefined) {
  const asked = useGet<ListOf<Run>>(`${RUNS}?limit=50&sort=-createdAt`, {
    every: (answer) => (answer?.data.some(isOpen) ? SOON : LATER),
  });
  const { data } = asked;
  const open = useRef<string[]>([]);
  useEffect(() => {
    if (!data) return;
    const now = data.data.filter(isOpen).map(({ id }) => id);
    const ended = open.current.some((id) => !now.includes(id));
    open.current = now;
    if (ended) whenDone();
  }, [data, whenDone]);
  return { runs: data?.data, asked };
}

const same = (one: string | number | null | undefined, other: string | undefined) =>
  String(one ?? '') === (other ?? '');

/** Of the same people and the same outcome, or of all outcomes. */
const isOf = ({ outcome, location, from, to, questionnaire }: RunRequest, asked: Asked): boolean =>
  (outcome === null || outcome === asked.outcome) &&
  same(location, asked.location) &&
  same(from, asked.from) &&
  same(to, asked.to) &&
  same(questionnaire, asked.questionnaire);

export function useIntervalRuns(asked: Asked, whenDone: () => void) {
  const { runs } = useRuns(whenDone);
  const mine = (runs ?? []).filter((run) => isOf(run.request, asked));
  return {
    open: mine.filter(isOpen),
    failed: mine[0]?.state === 'FAILED' ? mine[0] : null,
    gileOf: (estimates: Estimates) => gileIntervals(mine, estimates),
    start: (methods: Method[]) => start(asked, methods),
  };
}

export type IntervalRunsState = ReturnType<typeof useIntervalRuns>;

const NUMBERS = ['populationSize'] as const;

async function start(asked: Asked, methods: Method[]): Promise<void> {
  for (const method of methods) {
    const { populationSize, populationSizeLow, populationSizeHigh, ...rest } = asked;
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value));
    const size = method === 'GILE' && populationSize ? { [NUMBERS[0]]: Number(populationSize) } : {};
    await request<Run>('POST', RUNS, { body: { method, ...given, ...size } });
  }
  await refreshDesk();
}
