/** How many people wait to be approved by whoever is signed in; nothing is asked for those who may not approve. */

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { request } from '../../api.ts';
import { useSignal } from '../../device/use-signal.ts';
import { keys } from '../../query-keys.ts';
import { useAbility, useSession } from '../../session.tsx';

/** As often as the list of them; elsewhere seldom, since it costs a phone its battery. */
const ON_DESK = 5_000;
const ELSEWHERE = 60_000;

export function useWaitingPeople(): number {
  const session = useSession();
  const approved = session?.user.approvalStatus === 'APPROVED' && !session.expired;
  const may = useAbility().can('update', 'User', 'approvalStatus');
  const online = useSignal();
  const onDesk = useLocation().pathname.startsWith('/desk');
  const asked = useQuery({
    // Asked again with everything else on the dashboard after each change.
    queryKey: keys.waitingPeople(session?.user.id ?? ''),
    queryFn: async () =>
      (await request<{ total: number }>('GET', '/api/users?status=PENDING&limit=1&total=true')).total,
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
