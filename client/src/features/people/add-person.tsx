/** A new account, of the roles and at the sites that the caller may add people to. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { SiteSelect } from '../../desk/site-select.tsx';
import { refreshDesk } from '../../desk/use-list.tsx';
import { useLocations } from '../../records.ts';
import { mayApproveNew, mayCreate } from '../../rights.ts';
import { useSession } from '../../session.tsx';
import { faultOf } from '../../ui/field-error.ts';
import type { User } from '../../wire.ts';
import { NameFields, type Names } from '../account/name-fields.tsx';
import { ROLES } from './roles.ts';

interface AddPersonProps {
  onAdded(user: User): void;
  onClose(): void;
}

export function AddPerson({ onAdded, onClose }: AddPersonProps) {
  const { t, app } = useDeskText();
  const [names, setNames] = useState<Names>({ firstName: '', lastName: '', email: '' });
  const [phone, setPhone] = useState('');
  const [role, setRole] = useState<User['role']>('VOLUNTEER');
  const [site, setSite] = useState('');
  const [atOnce, setAtOnce] = useState(true);
  const [error, setError] = useState<unknown>(null);
  const { mayAdd, mayApprove, mayBeNowhere, roles } = useWhoMayBeAdded(role);
  const approve = atOnce && mayApprove(site);
  const add = async () => {
    const body = {
      firstName: names.firstName,
      lastName: names.lastName,
      phone,
      role,
      ...(names.email.trim() ? { email: names.email } : {}),
      ...(site ? { location: site } : {}),
      ...(approve ? { approvalStatus: 'APPROVED' } : {}),
    };
    const user = await request<User>('POST', '/api/users', { body }).catch((refused: unknown) => {
      setError(refused);
      throw refused;
    });
    await refreshDesk();
    onAdded(user);
  };
  return (
    <Dialog
      title={t('people.add')}
      yes={t('common.add')}
      disabled={!mayBeNowhere && !site}
      onYes={add}
      onClose={onClose}
    >
      <NameFields value={names} onChange={setNames} error={error} />
      <TextInput
        mt="md"
        label={t('people.phone')}
        description={t('people.phoneHint')}
        type="tel"
        required
        error={faultOf(error, 'phone')}
        value={phone}
        onChange={(event) => setPhone(event.currentTarget.value)}
      />
      <NativeSelect
        mt="md"
        label={t('people.role')}
        description={t(`people.roleWhat.${role}`)}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as User['role'])}
        data={roles.map((value) => ({ value, label: app(`role.${value}`) }))}
      />
      <SiteSelect
        value={site}
        onChange={setSite}
        may={mayAdd}
        error={faultOf(error, 'location')}
        {...(mayBeNowhere ? { none: t('common.noSite') } : {})}
      />
      {mayApprove(site) ? (
        <Checkbox
          mt="md"
          size="md"
          label={t('people.atOnce')}
          checked={atOnce}
          onChange={(event) => setAtOnce(event.currentTarget.checked)}
        />
      ) : null}
    </Dialog>
  );
}

/** Asked of the record as it would be, as the service does. */
function useWhoMayBeAdded(role: User['role']) {
  const now = useSession();
  const sites = useLocations();
  const may = (of: User['role'], location: string | null) =>
    now !== null && mayCreate(now, 'User', { role: of, location });
  return {
    mayAdd: (location: string | null) => may(role, location),
    mayApprove: (site: string) => now !== null && mayApproveNew(now, { role, location: site || null }),
    mayBeNowhere: may(role, null),
    roles: ROLES.filter((one) => [null, ...sites.map(({ id }) => id)].some((at) => may(one, at))),
  };
}
