/**
 * Asks for confirmation before people are approved, rejected, or moved back to pending. To approve a role above
 * volunteer, the name must be typed.
 */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fullName } from '../../../../../src/platform/lib/text/full-name.ts';
import type { User } from '../../../wire.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { useUnsentText } from '../unsent-text.ts';
import type { AccountStatus } from './approval-steps.ts';

/** Approving these people grants more than interviewing. */
export const isMoreThanVolunteer = ({ role }: User) => role !== 'VOLUNTEER';

const looseCollator = new Intl.Collator(undefined, { sensitivity: 'base', ignorePunctuation: true });
/** Ignores accents, case, and spaces: it only has to show that someone read the name. */
const isName = (text: string, user: User) =>
  text.trim() !== '' && looseCollator.compare(text.replace(/\s+/g, ' ').trim(), fullName(user)) === 0;

/** More names than this are replaced by a number. */
const MAX_NAMES = 12;

export function PeopleNames({ people }: { people: User[] }) {
  const { t, app, number } = useDashboardText();
  const more = people.length - MAX_NAMES;
  return (
    <ul>
      {people.slice(0, MAX_NAMES).map((user) => (
        <li key={user.id}>
          <bdi>{fullName(user)}</bdi>: {app(`role.${user.role}`)}
        </li>
      ))}
      {more > 0 ? <li>{t('bulk.andMore', { shown: number(more) })}</li> : null}
    </ul>
  );
}

interface AskAboutProps {
  people: User[];
  to: AccountStatus;
  onYes(): Promise<unknown>;
  onClose(): void;
}

export function ConfirmApproval({ people, to, onYes, onClose }: AskAboutProps) {
  const { t } = useDashboardText();
  const [typedName, setTyped] = useState('');
  const ids = people.map(({ id }) => id);
  const stillOut = useUnsentText(ids, to !== 'APPROVED');
  const [first, another] = people;
  const onlyPerson = first && !another ? first : null;
  const person = onlyPerson && to === 'APPROVED' && isMoreThanVolunteer(onlyPerson) ? onlyPerson : null;
  return (
    <Dialog
      title={t(`approvals.do.${to}`)}
      text={
        <>
          <PeopleNames people={people} />
          <Text mt="sm">
            {onlyPerson
              ? t(`approvals.what.${to}`, { name: onlyPerson.firstName })
              : t(`approvals.whatMany.${to}`)}
          </Text>
          {stillOut ? (
            <Text mt="sm" fw={650}>
              {stillOut}
            </Text>
          ) : null}
          {person ? <Text mt="sm">{t(`people.roleWhat.${person.role}`)}</Text> : null}
        </>
      }
      yes={t(`approvals.do.${to}`)}
      danger={to === 'REJECTED'}
      disabled={person !== null && !isName(typedName, person)}
      onYes={onYes}
      onClose={onClose}
    >
      {person ? (
        <TextInput
          mt="md"
          label={t('approvals.typeName')}
          description={t('approvals.typeNameWhat', { name: fullName(person) })}
          autoComplete="off"
          data-autofocus
          value={typedName}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
    </Dialog>
  );
}
