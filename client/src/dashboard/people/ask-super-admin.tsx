/**
 * Names people who have a permission the user lacks, so that the user can ask them. Empty if the user may not see
 * names.
 */
import type { ReactNode } from 'react';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { useAbility } from '../../session/session.tsx';
import { localeTagOf } from '../../texts/i18n.ts';
import type { ListOf, User } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

const MAX_NAMES = 3;

export const AskSuperAdmin = () => <Ask userRole="SUPER_ADMIN" />;
/** A study may have no admins, only super admins. */
export const AskAdmin = () => <Ask userRole="ADMIN" otherwise={<AskSuperAdmin />} />;

function Ask({ userRole, otherwise = null }: { userRole: User['role']; otherwise?: ReactNode }) {
  const { t, language } = useDashboardText();
  const enabled = useAbility().can('list', 'User');
  const path = `/api/users?role=${userRole}&status=APPROVED&sort=createdAt&limit=${MAX_NAMES}`;
  const people = useGet<ListOf<User>>(path, { enabled }).data?.data;
  if (people?.length === 0) return otherwise;
  if (!people) return null;
  const either = new Intl.ListFormat(localeTagOf(language), { type: 'disjunction' });
  const names = either.format(people.map(fullName));
  return <>{t('people.ask', { names })}</>;
}

/** Explains why this person may not see all interviews. */
export function HiddenInterviewsNote() {
  const { t } = useDashboardText();
  return (
    <>
      {t('surveys.closedWhat')} <AskSuperAdmin />
    </>
  );
}
