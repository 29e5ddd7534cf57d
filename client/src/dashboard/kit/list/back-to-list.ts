/** A record leads back to the list that it was opened from, with the list's filters and order. */
import { useLocation } from 'react-router';

export interface FromList {
  from?: string;
}

/** For the links of a list. */
export function useFromList(): FromList {
  const { pathname, search } = useLocation();
  return { from: pathname + search };
}

/** `list`: if the record was opened in another way. */
export const useBack = (list: string): string => (useLocation().state as FromList | null)?.from ?? list;
