/** Filters and pages stored in the address: a link shows the same list, and "back" undoes a filter. */
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { paramsIn } from '../../../session/api.ts';

export interface Filters<Name extends string> {
  values: Record<Name, string>;
  /** An empty text takes the filter away. The list begins anew. */
  set(name: Name, value: string): void;
  clear(): void;
  /** Something is filtered. */
  any: boolean;
  cursor: string | undefined;
}

/** What the address says after its path. `change` replaces it; an empty text takes a name away. */
export function useAddressParams() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const change = (values: Record<string, string>) => {
    // What was typed a moment before leaving does not lead back here, while the next page is on its way.
    if (window.location.pathname !== pathname) return;
    // Of the address itself: two values may be set before the page has followed the first.
    const after = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) after.set(name, value);
      else after.delete(name);
    }
    setParams(after, { replace: true });
  };
  return { params, change };
}

export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const { params, change } = useAddressParams();
  const values = paramsIn(params, names);
  return {
    values,
    set: (name, value) => change({ cursor: '', [name]: value }),
    clear: () => change(Object.fromEntries(['cursor', ...names].map((name) => [name, '']))),
    any: names.some((name) => values[name] !== ''),
    cursor: params.get('cursor') ?? undefined,
  };
}

/** Pages by cursor: the ones before are kept with the entry of the browser's history. */
export function usePaging(nextCursor: string | null) {
  const navigate = useNavigate();
  const here = useLocation();
  const [params] = useSearchParams();
  const now = params.get('cursor');
  const before = (here.state as { before?: (string | null)[] } | null)?.before ?? [];
  const go = (cursor: string | null, trail: (string | null)[], replace = false) => {
    const after = new URLSearchParams(params);
    if (cursor) after.set('cursor', cursor);
    else after.delete('cursor');
    void navigate(
      { search: after.toString() },
      { replace, state: { ...(replace && here.state), before: trail } },
    );
  };
  return {
    next: nextCursor ? () => go(nextCursor, [...before, now]) : null,
    // A link into the middle of a list knows no page before: it leads to the first.
    previous: now
      ? ({ replace = false } = {}) => go(before.at(-1) ?? null, before.slice(0, -1), replace)
      : null,
    page: before.length + 1,
    known: !now || before.length > 0,
  };
}
