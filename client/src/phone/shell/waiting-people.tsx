/** How many people are waiting for the signed-in user's approval. Requests nothing for users who can't approve. */

import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useHasSignal } from '../../device/use-signal.ts';
import { request } from '../../session/api.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAbility, useSession } from '../../session/session.tsx';

/** Frequent where the list is shown; rare on phones, to save the battery. */
const APPROVALS_POLL_MS = 5_000;
const DASHBOARD_POLL_MS = 30_000;
const PHONE_POLL_MS = 60_000;

export function usePendingUserCount(): number {
  const session = useSession();
  const approved = session?.user.approvalStatus === 'APPROVED' && !session.expired;
  const may = useAbility().can('update', 'User', 'approvalStatus');
  const online = useHasSignal();
  const { pathname } = useLocation();
  const query = useQuery({
    // Refetched with everything else on the dashboard after each change.
    queryKey: queryKeys.waitingPeople(session?.user.id ?? ''),
    queryFn: async () =>
      (await request<{ total: number }>('GET', '/api/users?decidable=true&limit=1&total=true')).total,
    enabled: approved && may && online,
    staleTime: 2_000,
    refetchInterval: pathname.startsWith('/desk/approvals')
      ? APPROVALS_POLL_MS
      : pathname.startsWith('/desk')
        ? DASHBOARD_POLL_MS
        : PHONE_POLL_MS,
  });
  return may ? (query.data ?? 0) : 0;
}

export function WaitingPeopleBadge({ count }: { count: number }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <span className="nav-count">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="hidden-text">{t('nav.waiting', { count })}</span>
    </span>
  );
}
