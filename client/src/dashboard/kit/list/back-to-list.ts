/** A record's "back" link leads to the list it was opened from, with that list's filters and order. */
import { useLocation } from 'react-router';

export interface ListLocationState {
  from?: string;
}

/** Navigation state for the links of a list. */
export function useReturnToListState(): ListLocationState {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** `list`: the fallback if the record wasn't opened from a list. */
export const useBackPath = (list: string): string =>
  (useLocation().state as ListLocationState | null)?.from ?? list;
