/** A person's name, role, and site: the fields the user may change, and the consequences of a change. */
import { Button, Text } from '@mantine/core';
import { useEdits } from '../../device/edits.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { storeSessionUser, useAbility } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { User } from '../../wire.ts';
import { FormErrorContext, type FormField, FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { inactiveProps } from '../kit/buttons/inactive-button.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { ROLES } from './roles.ts';

interface PersonFormProps {
  user: User;
  onSaved(): void;
}

interface PersonNames {
  firstName: string;
  lastName: string;
  email: string;
}

export const nameFields = <T extends PersonNames>(
  app: ReturnType<typeof useDashboardText>['app'],
): (FormField<T> | FormField<T>[])[] => [
  [
    { name: 'firstName', attributes: { required: true } },
    { name: 'lastName', attributes: { required: true } },
  ],
  { name: 'email', label: app('names.email'), attributes: { type: 'email' } },
];

export function PersonForm({ user, onSaved }: PersonFormProps) {
  const { t, app } = useDashboardText();
  const ability = useAbility();
  const { firstName, lastName, role } = user;
  const initial = { firstName, lastName, email: user.email ?? '', role, location: user.location ?? '' };
  const { value, set, edits, saved } = useEdits(`person ${user.id}`, initial);
  const may = (field: string) => ability.can('update', asPermissionSubject('User', user), field);
  // An empty email or site is cleared; spaces around a text are ignored.
  const changes = Object.fromEntries(
    Object.entries<string>(edits)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([name, text]) => text !== initial[name as keyof typeof initial])
      .map(([name, text]) => [name, text === '' && /^(email|location)$/.test(name) ? null : text]),
  );
  const isChanged = Object.keys(changes).length > 0;
  const { submit, busy, error } = useSubmit(async () => {
    storeSessionUser(await sendChange<User>('PATCH', `/api/users/${user.id}`, changes));
    saved(edits);
    onSaved();
  });
  const roles = ROLES.filter(
    (one) =>
      one === role || ability.can('update', asPermissionSubject('User', { ...user, role: one }), 'role'),
  );
  return (
    <Card heading={t('people.work')}>
      <form onSubmit={submit} noValidate>
        <FormErrorContext value={error}>
          <FormFields
            form={{ value, set }}
            rows={[
              may('role') && {
                name: 'role',
                as: 'choice',
                description: t(`people.roleWhat.${value.role}`),
                options: roles.map((one) => ({ value: one, label: app(`role.${one}`) })),
              },
              may('location') && {
                name: 'location',
                as: 'site',
                description: t('people.siteWhat'),
                site: { none: t('common.noSite') },
              },
              ...(may('firstName') ? nameFields<typeof value>(app) : []),
            ]}
          />
        </FormErrorContext>
        <FormError error={error} />
        <Button type="submit" mt="md" loading={busy} {...inactiveProps(!isChanged)}>
          {t('common.save')}
        </Button>
        {isChanged ? (
          <Text component="span" ms="md" c="dimmed">
            {t('common.unsaved')}
          </Text>
        ) : null}
      </form>
    </Card>
  );
}
