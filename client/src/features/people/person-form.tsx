/** Name, role and site of a person: the fields that the caller may change, and what follows from them. */
import { Button, NativeSelect, Text } from '@mantine/core';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { idleWhile } from '../../desk/idle.ts';
import { SiteSelect } from '../../desk/site-select.tsx';
import { useDraft } from '../../edits.ts';
import { asRecord } from '../../rights.ts';
import { keepUser, useAbility } from '../../session.tsx';
import { faultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { User } from '../../wire.ts';
import { NameFields } from '../account/name-fields.tsx';
import { ROLES } from './roles.ts';

interface PersonFormProps {
  user: User;
  onSaved(): Promise<void>;
}

const draftOf = ({ firstName, lastName, email, role, location }: User) => ({
  firstName,
  lastName,
  email: email ?? '',
  role,
  location: location ?? '',
});

export function PersonForm({ user, onSaved }: PersonFormProps) {
  const { t, app } = useDeskText();
  const ability = useAbility();
  const before = draftOf(user);
  // Only what was touched: the rest follows what the service says.
  const [edits, setEdits] = useDraft<Partial<typeof before>>(`person ${user.id}`);
  const draft = { ...before, ...edits };
  const set = (change: Partial<typeof before>) => {
    const changed = Object.entries({ ...edits, ...change }).filter(
      ([key, value]) => value !== before[key as keyof typeof before],
    );
    setEdits(changed.length > 0 ? Object.fromEntries(changed) : null);
  };
  const may = (field: string) => ability.can('update', asRecord('User', user), field);
  const changes = changesOf(user, draft);
  const { submit, busy, error } = useSubmit(async () => {
    keepUser(await request<User>('PATCH', `/api/users/${user.id}`, { body: changes }));
    await onSaved();
    setEdits(null);
  });
  const roles = ROLES.filter(
    (role) => role === user.role || ability.can('update', asRecord('User', { ...user, role }), 'role'),
  );
  return (
    <Card label={t('people.work')}>
      <h2>{t('people.work')}</h2>
      <form onSubmit={submit} noValidate>
        {may('role') ? (
          <NativeSelect
            mt="md"
            label={t('people.role')}
            description={t(`people.roleWhat.${draft.role}`)}
            error={faultOf(error, 'role')}
            value={draft.role}
            onChange={(event) => set({ role: event.currentTarget.value as User['role'] })}
            data={roles.map((value) => ({ value, label: app(`role.${value}`) }))}
          />
        ) : null}
        {may('location') ? (
          <SiteSelect
            value={draft.location}
            onChange={(location) => set({ location })}
            none={t('common.noSite')}
            description={t('people.siteWhat')}
            error={faultOf(error, 'location')}
          />
        ) : null}
        {may('firstName') ? (
          <div style={{ marginTop: 16 }}>
            <NameFields value={draft} onChange={set} error={error} />
          </div>
        ) : null}
        <FormError error={error} />
        <Button type="submit" mt="md" loading={busy} {...idleWhile(Object.keys(changes).length === 0)}>
          {t('common.save')}
        </Button>
        {Object.keys(changes).length > 0 ? (
          <Text component="span" ms="md" c="dimmed">
            {t('common.unsaved')}
          </Text>
        ) : null}
      </form>
    </Card>
  );
}

function changesOf(user: User, draft: ReturnType<typeof draftOf>): Record<string, unknown> {
  const before = draftOf(user);
  const changed = Object.entries(draft).filter(
    ([key, value]) => value.trim() !== before[key as keyof typeof before],
  );
  // An empty email or site takes it away.
  return Object.fromEntries(
    changed.map(([key, value]) => [
      key,
      value === '' && (key === 'email' || key === 'location') ? null : value,
    ]),
  );
}
