/** A record leads back to the list that it was opened from, with the list's filters and order. */
import { useLocation } from 'react-router';

export interface WayBack {
  from?: string;
}

/** For the links of a list. */
export function useWayBack(): WayBack {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** `list`: if the record was opened in another way. */
export const useBack = (list: string): string => (useLocation().state as WayBack | null)?.from ?? list;
