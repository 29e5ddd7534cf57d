/** Filters and pages stored in the URL, so that a link shows the same list. */
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readParams } from '../../../session/api.ts';

export interface ListFilters<Name extends string> {
  values: Record<Name, string>;
  /** An empty value removes the filter. Either way, the list starts again from its first page. */
  set(name: Name, value: string): void;
  clear(): void;
  /** True if any filter is set. */
  any: boolean;
  cursor: string | undefined;
}

/** The URL's query parameters. `change` replaces the history entry; an empty value removes a parameter. */
export function useAddressParams() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const change = (values: Record<string, string>) => {
    // Late input from a field must not navigate back here after the user left the page.
    if (window.location.pathname !== pathname) return;
    // Reads the URL itself: two values may be set before the page rerenders.
    const after = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) after.set(name, value);
      else after.delete(name);
    }
    setParams(after, { replace: true });
  };
  return { params, change };
}

export function useFilters<const Name extends string>(names: readonly Name[]): ListFilters<Name> {
  const { params, change } = useAddressParams();
  const values = readParams(params, names);
  return {
    values,
    set: (name, value) => change({ cursor: '', [name]: value }),
    clear: () => change(Object.fromEntries(['cursor', ...names].map((name) => [name, '']))),
    any: names.some((name) => values[name] !== ''),
    cursor: params.get('cursor') ?? undefined,
  };
}

/** Cursor pages. The previous pages' cursors are stored in the browser's history entry. */
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
    // A link into the middle of a list has no previous pages, so "previous" leads to the first page.
    previous: now
      ? ({ replace = false } = {}) => go(before.at(-1) ?? null, before.slice(0, -1), replace)
      : null,
    page: before.length + 1,
    known: !now || before.length > 0,
  };
}
