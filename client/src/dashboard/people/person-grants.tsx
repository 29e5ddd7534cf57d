/** One person's permissions beyond their role: an action, the records, and conditions that must all be met. */
import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { isDeepEqual } from '../../../../src/platform/lib/objects/deep-equal.ts';
import { GRANTABLE_SUBJECTS, type GrantableSubject } from '../../../../src/platform/rights/names.ts';
import { request } from '../../session/api.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import type { User } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

type Grant = User['permissions'][number];

const ACTIONS = [
  'read',
  'list',
  'create',
  'update',
  'delete',
  'review',
  'import',
  'erase',
  'pay',
  'withdraw',
] as const;
/** Actions that only exist for one kind of record. */
const ONLY_SUBJECT: Partial<Record<Grant['action'], Grant['subject']>> = {
  list: 'User',
  review: 'Survey',
  import: 'Survey',
  erase: 'Survey',
  pay: 'Incentive',
  withdraw: 'Incentive',
};
/** Kinds of records with fewer actions: nobody changes counts or the history, and only super admins void cards. */
const ONLY_ACTIONS: Partial<Record<Grant['subject'], readonly Grant['action'][]>> = {
  Recruitment: ['read'],
  AuditEvent: ['read'],
  Card: ['read', 'create'],
};
/** Interviews come first, as the most common grant. */
const SUBJECTS = [...new Set<GrantableSubject>(['Survey', ...GRANTABLE_SUBJECTS])];
const CONDITIONS: Grant['conditions'] = [
  'IS_CREATED_BY_SELF',
  'WAS_CREATED_TODAY',
  'HAS_SAME_LOCATION',
  'IS_SELF',
  'HAS_VOLUNTEER_ROLE',
  'HAS_MANAGER_ROLE',
  'HAS_ADMIN_ROLE',
];
/** Conditions that only apply to people. IS_CREATED_BY_SELF doesn't apply to them. */
const PERSON_CONDITIONS = new Set<string>([
  'IS_SELF',
  'HAS_VOLUNTEER_ROLE',
  'HAS_MANAGER_ROLE',
  'HAS_ADMIN_ROLE',
]);
const conditionsOf = (subject: Grant['subject']) =>
  CONDITIONS.filter((name) =>
    subject === 'User' ? name !== 'IS_CREATED_BY_SELF' : !PERSON_CONDITIONS.has(name),
  );

/** Also allows reading interviews sent by others, on any day and at any site. */
const REVIEWER: Grant = { action: 'review', subject: 'Survey', conditions: [] };
const isReviewer = ({ action, conditions }: Grant) => action === 'review' && conditions.length === 0;

export function PersonGrants({ user, onSaved }: { user: User; onSaved(): void }) {
  const { t } = useDashboardText();
  const grants = user.permissions;
  const [removing, setRemoving] = useState<Grant | null>(null);
  /**
   * Reads the current grants first: the service replaces all of them, and someone else's change must not be undone.
   */
  const save = async (grant: Grant | null, removed = grant) => {
    const path = `/api/users/${user.id}`;
    const { permissions } = await request<User>('GET', path);
    const others = permissions.filter((one) => !isDeepEqual(one, removed));
    await sendChange('PATCH', path, { permissions: [...others, ...(grant ? [grant] : [])] });
    onSaved();
  };
  const reviewer = useSubmit(() => save(REVIEWER));
  const say = useGrantText();
  return (
    <Card heading={t('people.grants')}>
      <Text c="dimmed" my="xs">
        {t('people.grantsWhat')}
      </Text>
      <ul className="rows">
        {grants.map((grant) => (
          <li key={JSON.stringify(grant)}>
            <span>{say(grant)}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={t('people.grantRemove', { grant: say(grant) })}
              onClick={() => setRemoving(grant)}
            >
              <Icon name="trash" size={20} />
            </button>
          </li>
        ))}
      </ul>
      <Group gap="sm" mt="sm">
        <OpenButton variant="default" label={t('people.grantAdd')}>
          {(close) => <AddGrant onClose={close} onAdd={save} />}
        </OpenButton>
        {grants.some(isReviewer) ? null : (
          <Button variant="default" loading={reviewer.busy} onClick={() => reviewer.submit()}>
            {t('people.reviewer')}
          </Button>
        )}
      </Group>
      <FormError error={reviewer.error} />
      {removing ? (
        <Dialog
          danger
          title={t('people.grantRemoveTitle')}
          text={say(removing)}
          yes={t('people.grantRemoveYes')}
          onYes={() => save(null, removing)}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </Card>
  );
}

function useGrantText() {
  const { t } = useDashboardText();
  return ({ action, subject, conditions }: Grant) => {
    const what = `${t(`people.can.${action}`)} ${t(`people.records.${subject}`)}`;
    return [what, ...conditions.map((name) => t(`people.where.${name}`))].join(t('common.comma'));
  };
}

/** Nothing is preselected, so that no permission is granted by accident. */
const NO_CHOICE = { action: '', subject: '', conditions: [] } as const;
type GrantDraft = { [F in keyof Grant]: Grant[F] | (typeof NO_CHOICE)[F] };
const isComplete = (choice: GrantDraft): choice is Grant => choice.action !== '' && choice.subject !== '';
const isApplicable = (subject: GrantDraft['subject'], action: Grant['action']) =>
  subject === '' ||
  ((ONLY_SUBJECT[action] ?? subject) === subject && (ONLY_ACTIONS[subject]?.includes(action) ?? true));

function AddGrant({ onAdd, onClose }: { onAdd(grant: Grant): Promise<void>; onClose(): void }) {
  const { t } = useDashboardText();
  const [choice, setChosen] = useState<GrantDraft>(NO_CHOICE);
  const { action, subject } = choice;
  const grant = isComplete(choice) ? choice : null;
  const say = useGrantText();
  const open = subject ? conditionsOf(subject) : [];
  const none = { value: '', label: t('people.grantChoose') };
  return (
    <Dialog
      title={t('people.grantAdd')}
      yes={t('people.grantGive')}
      disabled={grant === null}
      onYes={async () => grant && (await onAdd(grant))}
      onClose={onClose}
    >
      <FormFields
        form={{ value: choice, set: (change) => setChosen({ ...choice, ...change }) }}
        rows={[
          [
            {
              name: 'subject',
              as: 'choice',
              label: t('people.grantSubject'),
              options: [none, ...SUBJECTS.map((value) => ({ value, label: t(`people.records.${value}`) }))],
              // Clears the action if it doesn't exist for this kind of record.
              besides: (next) =>
                action && !isApplicable(next as GrantDraft['subject'], action)
                  ? { action: '' as const, conditions: [] }
                  : { conditions: [] },
            },
            {
              name: 'action',
              as: 'choice',
              label: t('people.grantAction'),
              options: [
                none,
                ...ACTIONS.filter((value) => isApplicable(subject, value)).map((value) => ({
                  value,
                  label: t(`people.can.${value}`),
                })),
              ],
            },
          ],
        ]}
      />
      {open.length > 0 ? (
        <Checkbox.Group
          mt="md"
          label={t('people.grantWhere')}
          description={t('people.grantWhereWhat')}
          value={[...choice.conditions]}
          onChange={(ticked) =>
            setChosen({ ...choice, conditions: open.filter((name) => ticked.includes(name)) })
          }
        >
          {open.map((name) => (
            <Checkbox key={name} mt="sm" size="md" value={name} label={t(`people.where.${name}`)} />
          ))}
        </Checkbox.Group>
      ) : null}
      <Text mt="md" fw={600} role="status">
        {grant ? say(grant) : null}
        {grant?.conditions.length === 0 ? ` (${t('people.grantEverywhere')})` : null}
      </Text>
    </Dialog>
  );
}
