/** Names for people's ids. A study has hundreds of staff, not thousands, so the list is requested once. */

import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { useAbility, useUser } from '../../session/session.tsx';
import type { User } from '../../wire.ts';
import { useAllPages } from '../kit/data/use-all-pages.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

const MAX_PEOPLE = 2_000;

/** The people whose names this person may see, sorted by name. */
function usePeople(): { people: User[]; mayList: boolean; isLoaded: boolean } {
  const me = useUser();
  const mayList = useAbility().can('list', 'User');
  const people = useAllPages<User>('/api/users', {
    maxRows: MAX_PEOPLE,
    staleTime: 5 * 60_000,
    enabled: mayList,
  });
  const sorted = (people.data ?? [me]).toSorted((a, b) => fullName(a).localeCompare(fullName(b)));
  return { people: sorted, mayList, isLoaded: people.data !== undefined };
}

export function usePersonName(): (id: string | null) => string {
  const { t } = useDashboardText();
  const { people, mayList, isLoaded } = usePeople();
  const names = new Map(people.map((person) => [person.id, fullName(person)]));
  const otherwise = mayList ? (isLoaded ? t('surveys.someoneGone') : '…') : t('progress.someone');
  return (id) => (id === null ? t('audit.operator') : (names.get(id) ?? otherwise));
}

export const usePersonOptions = () =>
  usePeople().people.map((person) => ({ value: person.id, label: fullName(person) }));
