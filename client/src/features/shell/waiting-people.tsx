/** How many people wait to be approved by whoever is signed in; nothing is asked for those who may not approve. */

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { request } from '../../api.ts';
import { useSignal } from '../../device/use-signal.ts';
import { keys } from '../../query-keys.ts';
import { asRecord } from '../../rights.ts';
import { useAbility, useSession } from '../../session.tsx';
import type { ListOf, User } from '../../wire.ts';

/** As often as the list of them; elsewhere seldom, since it costs a phone its battery. */
const ON_DESK = 5_000;
const ELSEWHERE = 60_000;

export function useWaitingPeople(): number {
  const session = useSession();
  const approved = session?.user.approvalStatus === 'APPROVED' && !session.expired;
  const ability = useAbility();
  const may = ability.can('update', 'User', 'approvalStatus');
  /** A manager about some of them; nothing is known of no one in particular. */
  const decides = (user: object) => ability.can('update', asRecord('User', user), 'approvalStatus');
  const online = useSignal();
  const onDesk = useLocation().pathname.startsWith('/desk');
  const asked = useQuery({
    // Asked again with everything else on the dashboard after each change.
    queryKey: keys.waitingPeople(session?.user.id ?? ''),
    queryFn: async () => {
      const pending = '/api/users?status=PENDING&limit=';
      if (decides({})) return (await request<{ total: number }>('GET', `${pending}1&total=true`)).total;
      return (await request<ListOf<User>>('GET', `${pending}200`)).data.filter(decides).length;
    },
    enabled: approved && may && online,
    staleTime: 2_000,
    refetchInterval: onDesk ? ON_DESK : ELSEWHERE,
  });
  return may ? (asked.data ?? 0) : 0;
}

export function WaitingCount({ count }: { count: number }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <span className="nav-count">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="hidden-text">{t('nav.waiting', { count })}</span>
    </span>
  );
}
