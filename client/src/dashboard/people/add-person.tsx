/** Creates an account, with the roles and sites that the user may assign. */
import { useState } from 'react';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import type { CreatedUser } from '../../../../src/study/users/schema.ts';
import { useLocations } from '../../session/records.ts';
import { mayApproveNewUser, mayCreate } from '../../session/rights.ts';
import { useSession } from '../../session/session.tsx';
import type { User } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { nameFields } from './person-form.tsx';
import { ROLES } from './roles.ts';

const NEW_PERSON = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  role: 'VOLUNTEER' as User['role'],
  location: '',
};

export function AddUserDialog({ onClose }: { onClose(): void }) {
  const { t, app } = useDashboardText();
  const toast = useToast();
  const [value, setValue] = useState({ ...NEW_PERSON, atOnce: true });
  const { role, location, atOnce, ...fields } = value;
  const { mayAdd, mayApprove, mayBeNowhere, roles } = useAddablePeople(role);
  const add = async () => {
    const body = {
      ...fields,
      email: fields.email.trim() || null,
      role,
      location: location || null,
      ...(atOnce && mayApprove(location) ? { approvalStatus: 'APPROVED' } : {}),
    };
    const created = await sendChange<CreatedUser>('POST', '/api/users', body);
    toast(t(created.warnings ? 'people.addedNoCodes' : 'people.added', { name: fullName(created) }));
  };
  return (
    <Dialog
      title={t('people.add')}
      yes={t('common.add')}
      disabled={!mayBeNowhere && !location}
      onYes={add}
      onClose={onClose}
    >
      <FormFields
        form={{ value, set: (change) => setValue({ ...value, ...change }) }}
        rows={[
          ...nameFields<typeof value>(app),
          { name: 'phone', description: t('people.phoneHint'), attributes: { type: 'tel', required: true } },
          {
            name: 'role',
            as: 'choice',
            description: t(`people.roleWhat.${role}`),
            options: roles.map((one) => ({ value: one, label: app(`role.${one}`) })),
          },
          {
            name: 'location',
            as: 'site',
            site: { mayChoose: mayAdd, ...(mayBeNowhere ? { none: t('common.noSite') } : {}) },
          },
          mayApprove(location) && { name: 'atOnce', label: t('people.atOnce') },
        ]}
      />
    </Dialog>
  );
}

/** Checks the record as it would be created, as the service does. */
function useAddablePeople(role: User['role']) {
  const now = useSession();
  const sites = useLocations();
  const may = (of: User['role'], location: string | null) =>
    now !== null && mayCreate(now, 'User', { role: of, location });
  return {
    mayAdd: (location: string | null) => may(role, location),
    mayApprove: (site: string) => now !== null && mayApproveNewUser(now, { role, location: site || null }),
    mayBeNowhere: may(role, null),
    roles: ROLES.filter((one) => [null, ...sites.map(({ id }) => id)].some((at) => may(one, at))),
  };
}
