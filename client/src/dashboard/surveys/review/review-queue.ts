/**
 * A list filtered by review state is a queue: its interviews open with the filters in their URL, so that each leads
 * to the next.
 */
import { useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { now } from '../../../device/clock.ts';
import { type Query, withQuery } from '../../../session/api.ts';
import type { ListOf, SurveyListItem } from '../../../wire.ts';
import { useListRound } from '../../kit/data/rounds.ts';
import { useGet } from '../../kit/data/use-list.tsx';
import type { ListLocationState } from '../../kit/list/back-to-list.ts';

const FILTERS = [
  'review',
  'search',
  'location',
  'status',
  'flag',
  'finding',
  'createdBy',
  'seed',
  'from',
  'to',
] as const;

/** `?review=RECEIVED&…`, or empty if the list isn't a queue. */
export function useReviewFilter(): string {
  const [params] = useSearchParams();
  const isQueue = params.get('review') !== null && params.get('review') !== '';
  const everyRound = params.get('search') !== null || params.get('seed') !== null;
  const { requested } = useListRound({ enabled: isQueue, everyRound });
  if (!isQueue) return '';
  const ours = FILTERS.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as [string, string]] : [];
  });
  return `?${new URLSearchParams([...ours, ...(requested ? [['round', requested]] : [])])}`;
}

/** More interviews than arrive within one millisecond. */
const NEXT_LIMIT = '20';
/** Others may work through the same list, so it is requested again after this time. */
const STALE_AFTER_MS = 30_000;

/** "12 of 549": counted when the first interview was opened. */
export interface ReviewQueuePosition {
  position: number;
  total: number;
}

/** The following interviews, passed to the next page so that it needn't request them. */
interface Following {
  ids: string[];
  /** When the service returned them. */
  at: number;
  /** Place of the page that receives them. */
  place: ReviewQueuePosition | null;
}

export interface NextReviewLink {
  to: string;
  state: { following: Following };
}

export interface ReviewQueueLinks {
  /** The next interview by arrival, or null. */
  next: NextReviewLink | null;
  place: ReviewQueuePosition | null;
}

/** As of when this page opened. */
function useQueueFromList(): Following | null {
  const state = useLocation().state as { following?: Following } | null;
  const [handed] = useState(state?.following ?? null);
  return handed;
}

/** Null if nothing is left of it, or it is outdated. */
function useFresh(handed: Following | null): Following | null {
  const [fresh] = useState(
    handed && handed.ids.length > 0 && now() - handed.at < STALE_AFTER_MS ? handed : null,
  );
  return fresh;
}

type ListWithTotal = ListOf<SurveyListItem> & { total?: number };

/** Undefined outside a queue, and while loading. */
export function useReviewQueue({ id, createdAt }: SurveyListItem): ReviewQueueLinks | undefined {
  const queue = useReviewFilter();
  const handed = useQueueFromList();
  const fresh = useFresh(handed);
  const fromList = useLocation().state as ListLocationState | null;
  const filters = Object.fromEntries(new URLSearchParams(queue));
  const listOf = (query: Query) => withQuery('/api/surveys', { ...filters, ...query, total: 'true' });
  const { data, dataUpdatedAt } = useGet<ListWithTotal>(listOf({ to: createdAt, limit: NEXT_LIMIT }), {
    enabled: queue !== '' && !fresh,
  });
  const [place, setPlace] = useState(handed?.place ?? null);
  const whole = useGet<ListWithTotal>(listOf({ limit: '1' }), { enabled: queue !== '' && !place });
  const isListed = data?.data.some((one) => one.id === id);
  if (!place && isListed && data?.total !== undefined && whole.data?.total !== undefined) {
    const { total } = whole.data;
    setPlace({ position: Math.max(1, total - data.total + 1), total });
  }
  if (!queue || !(fresh || data)) return undefined;
  const followingRows = data?.data.filter((one) => one.createdAt < createdAt || one.id < id) ?? [];
  const { ids, at } = fresh ?? { ids: followingRows.map((one) => one.id), at: dataUpdatedAt };
  const [next, ...rest] = ids;
  const nextPlace = place && { ...place, position: place.position + 1 };
  const state = { ...fromList, following: { ids: rest, at, place: nextPlace } };
  return { next: next ? { to: `/desk/surveys/${next}${queue}`, state } : null, place };
}

/** This page as it was opened, to return to it. */
export function useLinkToThisPage({ id }: SurveyListItem): () => { to: string; state: unknown } {
  const { search, state } = useLocation();
  return () => ({ to: `/desk/surveys/${id}${search}`, state });
}
