/**
 * Buttons to approve people, reject them, or move them back to pending: for one person in a row, or for the selected
 * people in a bar.
 */
import { useState } from 'react';
import { fullName } from '../../../../../src/platform/lib/text/full-name.ts';
import { request } from '../../../session/api.ts';
import { useAbility } from '../../../session/session.tsx';
import type { User } from '../../../wire.ts';
import { useSurroundingPageActions } from '../../kit/actions/use-actions.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { type AccountStatus, allowedApprovalStepsOf } from './approval-steps.ts';
import { ConfirmApproval, isMoreThanVolunteer } from './confirm-approval.tsx';

interface MovesProps {
  people: User[];
  personName?: string;
  /** Called before the first request. */
  onStart?(): void;
}

/** Approving volunteers needs no confirmation, because it can be undone with a click. */
const needsNoConfirmation = (to: AccountStatus, people: User[]) =>
  to === 'APPROVED' && !people.some(isMoreThanVolunteer);

/** Only the steps allowed for all of them. Roles above volunteer are approved individually, by typing the name. */
export function UserApprovalButtons({ people, personName, onStart }: MovesProps) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const { busy } = useSurroundingPageActions();
  const move = useMove();
  const [target, setAsking] = useState<AccountStatus | null>(null);
  const open = people
    .map((user) => allowedApprovalStepsOf(ability, user))
    .reduce((all, some) => all.filter((one) => some.includes(one)))
    .filter((to) => to !== 'APPROVED' || people.length === 1 || !people.some(isMoreThanVolunteer));
  const start = (to: AccountStatus) => {
    onStart?.();
    void move(people, to);
  };
  return (
    <>
      {open.map((to) => (
        <PlainButton
          key={to}
          label={t(`approvals.do.${to}`)}
          variant={to === 'APPROVED' ? 'filled' : 'default'}
          recordName={personName}
          onClick={() => (needsNoConfirmation(to, people) ? start(to) : setAsking(to))}
          {...inactiveProps(busy)}
        />
      ))}
      {target ? (
        <ConfirmApproval
          people={people}
          to={target}
          onYes={async () => start(target)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </>
  );
}

/** Runs the change with its messages, and an undo if the rules allow it. */
function useMove() {
  const acts = useSurroundingPageActions();
  const { t } = useDashboardText();
  const ability = useAbility();
  const move = (people: User[], to: AccountStatus, undoing = false): Promise<void> =>
    acts.run<User, User>({
      items: people,
      // Only undoes the person's own decision, not a later one by someone else.
      one: ({ id, approvalStatus }) =>
        request('PATCH', `/api/users/${id}`, {
          body: { approvalStatus: to, ...(undoing ? { was: { approvalStatus } } : {}) },
        }),
      name: fullName,
      messageOf: (users) => {
        const [first] = users;
        if (first && users.length === 1)
          return t(undoing ? 'approvals.undoneOne' : `approvals.doneOne.${to}`, { name: fullName(first) });
        return t(undoing ? 'approvals.undone' : `approvals.done.${to}`, { count: users.length });
      },
      undo: (users) =>
        !undoing &&
        to !== 'PENDING' &&
        users.every((user) => allowedApprovalStepsOf(ability, user).includes('PENDING'))
          ? () => void move(users, 'PENDING', true)
          : null,
    });
  return move;
}
