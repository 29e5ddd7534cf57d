/** Names for ids of people. A study has hundreds of staff, not thousands, so the list is requested once. */

import { fullName } from '../../../../src/lib/full-name.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { useAllPages } from '../../desk/use-whole-list.ts';
import { useAbility, useUser } from '../../session.tsx';
import type { User } from '../../wire.ts';

const MOST = 2_000;

/** Those whose names this person may know, by name. */
function usePeople(): { people: User[]; may: boolean; known: boolean } {
  const me = useUser();
  const may = useAbility().can('list', 'User');
  const asked = useAllPages<User>('/api/users', { most: MOST, fresh: 5 * 60_000, open: may });
  const sorted = (asked.data ?? [me]).toSorted((a, b) => fullName(a).localeCompare(fullName(b)));
  return { people: sorted, may, known: asked.data !== undefined };
}

export function usePersonName(): (id: string | null) => string {
  const { t } = useDeskText();
  const { people, may, known } = usePeople();
  const names = new Map(people.map((person) => [person.id, fullName(person)]));
  const otherwise = may ? (known ? t('surveys.someoneGone') : '…') : t('progress.someone');
  return (id) => (id === null ? t('audit.operator') : (names.get(id) ?? otherwise));
}

export const usePersonOptions = () =>
  usePeople().people.map((person) => ({ value: person.id, label: fullName(person) }));
