/**
 * Names of people who have a permission that the user lacks, so that they can be asked. Empty if the user may not see
 * names.
 */
import type { ReactNode } from 'react';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { useAbility } from '../../session/session.tsx';
import { localeTagOf } from '../../texts/i18n.ts';
import type { ListOf, User } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDeskText } from '../kit/words/desk-text.ts';

const MAX_NAMES = 3;

export const AskSuperAdmin = () => <Ask userRole="SUPER_ADMIN" />;
/** A study may be led by super-admins alone. */
export const AskAdmin = () => <Ask userRole="ADMIN" otherwise={<AskSuperAdmin />} />;

function Ask({ userRole, otherwise = null }: { userRole: User['role']; otherwise?: ReactNode }) {
  const { t, language } = useDeskText();
  const open = useAbility().can('list', 'User');
  const path = `/api/users?role=${userRole}&status=APPROVED&sort=createdAt&limit=${MAX_NAMES}`;
  const people = useGet<ListOf<User>>(path, { open }).data?.data;
  if (people?.length === 0) return otherwise;
  if (!people) return null;
  const either = new Intl.ListFormat(localeTagOf(language), { type: 'disjunction' });
  const names = either.format(people.map(fullName));
  return <>{t('people.ask', { names })}</>;
}

/** Why there may be interviews that this person is not shown. */
export function HiddenInterviewsNote() {
  const { t } = useDeskText();
  return (
    <>
      {t('surveys.closedWhat')} <AskSuperAdmin />
    </>
  );
}
