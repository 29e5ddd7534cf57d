/** The name for a person's id, requested once per person; a link if the user may open their page. */
import { Link } from 'react-router';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { RequestRefusal } from '../../session/api.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility, useUser } from '../../session/session.tsx';
import type { User } from '../../wire.ts';
import { useRecord } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export function PersonName({ id }: { id: string | null }) {
  const { t } = useDashboardText();
  const self = useUser();
  const ability = useAbility();
  const open = id !== null && id !== self.id && ability.can('read', asPermissionSubject('User', { id }));
  const userQuery = useRecord<User>(`/api/users/${id}`, open);
  const user = id === self.id ? self : userQuery.data;
  if (id === null) return <>{t('common.command')}</>;
  const isGone = userQuery.error instanceof RequestRefusal && userQuery.error.status === 404;
  if (!user) return <>{isGone ? t('common.deleted') : '…'}</>;
  const name = fullName(user);
  return ability.can('list', 'User') ? <Link to={`/desk/people/${id}`}>{name}</Link> : name;
}
