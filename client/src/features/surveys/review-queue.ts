/**
 * A list that is filtered by review state is a queue: its interviews are opened with its filters in their address, so
 * that each leads to the next.
 */
import { useSearchParams } from 'react-router';
import { withQuery } from '../../api.ts';
import { useGet } from '../../desk/use-list.tsx';
import type { ListOf, SurveyRow } from '../../wire.ts';

const FILTERS = ['review', 'location', 'status', 'flag', 'createdBy', 'seed', 'from'] as const;

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

/** The page of the next one, by arrival; null where there is none, undefined without a queue. */
export function useNextInQueue({ id, createdAt }: SurveyRow): string | null | undefined {
  const queue = useQueue();
  const filters = Object.fromEntries(new URLSearchParams(queue));
  const path = withQuery('/api/surveys', { ...filters, to: createdAt, limit: ENOUGH });
  const { data } = useGet<ListOf<SurveyRow>>(path, { open: queue !== '' });
  if (!queue || !data) return undefined;
  const next = data.data.find((one) => one.createdAt < createdAt || one.id < id);
  return next ? `/desk/surveys/${next.id}${queue}` : null;
}
