/**
 * A list that is filtered by review state is a queue: its interviews open with the filters in their address, so that
 * each leads to the next.
 */
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { withQuery } from '../../api.ts';
import type { FromList } from '../../desk/back-to-list.ts';
import { useGet } from '../../desk/use-list.tsx';
import { now } from '../../device/clock.ts';
import type { ListOf, SurveyRow } from '../../wire.ts';

const FILTERS = [
  'review',
  'search',
  'location',
  'status',
  'flag',
  'createdBy',
  'seed',
  'from',
  'to',
] as const;

/** `?review=RECEIVED&…`; empty where the list is no queue. */
export function useQueue(): string {
  const [params] = useSearchParams();
  if (!params.get('review')) return '';
  const ours = FILTERS.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as [string, string]] : [];
  });
  return `?${new URLSearchParams(ours)}`;
}

/** More than arrive in one millisecond. */
const ENOUGH = '20';
/** Others may work through the same list, so it is asked for again after a while. */
const FRESH_MS = 30_000;

/** What comes after an interview, handed on to the next page, which then need not ask for it. */
interface Following {
  ids: string[];
  /** When the service said so. */
  at: number;
}

export interface NextInQueue {
  to: string;
  state: { following: Following };
}

/** Still enough of it, and fresh, as this page opens. */
function useHandedOn(): Following | null {
  const state = useLocation().state as { following?: Following } | null;
  const [handed] = useState(() => {
    const { following } = state ?? {};
    return following && following.ids.length > 0 && now() - following.at < FRESH_MS ? following : null;
  });
  return handed;
}

/** The page of the next one, by arrival; null where there is none, undefined without a queue. */
export function useNextInQueue({ id, createdAt }: SurveyRow): NextInQueue | null | undefined {
  const queue = useQueue();
  const handed = useHandedOn();
  const fromList = useLocation().state as FromList | null;
  const filters = Object.fromEntries(new URLSearchParams(queue));
  const path = withQuery('/api/surveys', { ...filters, to: createdAt, limit: ENOUGH });
  const { data, dataUpdatedAt } = useGet<ListOf<SurveyRow>>(path, { open: queue !== '' && !handed });
  if (!queue || !(handed || data)) return undefined;
  const listed = data?.data.filter((one) => one.createdAt < createdAt || one.id < id) ?? [];
  const { ids, at } = handed ?? { ids: listed.map((one) => one.id), at: dataUpdatedAt };
  const [next, ...rest] = ids;
  const state = { ...fromList, following: { ids: rest, at } };
  return next ? { to: `/desk/surveys/${next}${queue}`, state } : null;
}
