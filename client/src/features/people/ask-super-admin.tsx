/** Names of those who may do what nobody else may, for whoever has to ask them. Nothing where names are not told. */
import { useDeskText } from '../../desk/desk-text.ts';
import { useGet } from '../../desk/use-list.tsx';
import { tagOf } from '../../i18n.ts';
import { useAbility } from '../../session.tsx';
import type { ListOf, User } from '../../wire.ts';

const MOST = 3;

export function AskSuperAdmin() {
  const { t, language } = useDeskText();
  const open = useAbility().can('list', 'User');
  const path = `/api/users?role=SUPER_ADMIN&status=APPROVED&sort=createdAt&limit=${MOST}`;
  const people = useGet<ListOf<User>>(path, { open }).data?.data ?? [];
  if (people.length === 0) return null;
  const either = new Intl.ListFormat(tagOf(language), { type: 'disjunction' });
  const names = either.format(people.map(({ firstName, lastName }) => `${firstName} ${lastName}`));
  return <>{t('people.ask', { names })}</>;
}

/** Why there may be interviews that this person is not shown. */
export function ClosedWhat() {
  const { t } = useDeskText();
  return (
    <>
      {t('surveys.closedWhat')} <AskSuperAdmin />
    </>
  );
}
