/** Finds coupons, people, sites, and interviews by a part of their name or code. */

import { formatCode, parseCode } from '../../../../src/coupons/referral-codes/code.ts';
import { isRecordId } from '../../../../src/platform/lib/record-id.ts';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { withQuery } from '../../session/api.ts';
import { useLocations } from '../../session/records.ts';
import { useAbility } from '../../session/session.tsx';
import type { ListOf, User } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';

export interface SearchResult {
  key: string;
  to: string;
  kind: 'coupon' | 'interview' | 'site' | 'person' | 'interviews';
  label: string;
}

const MAX_RESULTS = 6;
const MIN_LETTERS = 2;

interface Search {
  results: SearchResult[];
  /** The search for people is still running. */
  pending: boolean;
}

/** People are searched by `settled`, the debounced text, and only shown while it equals `text`. */
export function useSearchResults(text: string, settled: string): Search {
  const code = parseCode(text);
  const isId = isRecordId(text);
  const sites = useSites(code || isId ? '' : text);
  const { people, isPending } = usePeople(code || isId ? '' : settled);
  const onlyResult = (one: SearchResult): Search => ({ results: [one], pending: false });
  if (text === '') return { results: [], pending: false };
  if (code)
    return onlyResult({ key: code, to: `/desk/coupons/${code}`, kind: 'coupon', label: formatCode(code) });
  if (isId)
    return onlyResult({
      key: text,
      to: `/desk/surveys/${text.toLowerCase()}`,
      kind: 'interview',
      label: text,
    });
  const interviews: SearchResult = {
    key: 'interviews',
    to: withQuery('/desk/surveys', { search: text }),
    kind: 'interviews',
    label: text,
  };
  const results = [...(settled === text ? people : []), ...sites, interviews];
  return { results, pending: settled !== text || isPending };
}

function useSites(text: string): SearchResult[] {
  const needle = text.toLocaleLowerCase();
  const all = useLocations();
  if (needle.length < MIN_LETTERS) return [];
  const matches = all.filter(({ name }) => name.toLocaleLowerCase().includes(needle)).slice(0, MAX_RESULTS);
  return matches.map(({ id, name }) => ({
    key: id,
    to: withQuery('/desk/sites', { search: name }),
    kind: 'site',
    label: name,
  }));
}

function usePeople(text: string): { people: SearchResult[]; isPending: boolean } {
  const enabled = useAbility().can('list', 'User') && text.length >= MIN_LETTERS;
  const users = useGet<ListOf<User>>(withQuery('/api/users', { search: text, limit: String(MAX_RESULTS) }), {
    enabled,
  });
  const isPending = enabled && users.isFetching && (users.isPlaceholderData || users.data === undefined);
  if (!enabled || users.isPlaceholderData) return { people: [], isPending };
  const people = (users.data?.data ?? []).map(
    (user): SearchResult => ({
      key: user.id,
      to: `/desk/people/${user.id}`,
      kind: 'person',
      label: fullName(user),
    }),
  );
  return { people, isPending };
}
