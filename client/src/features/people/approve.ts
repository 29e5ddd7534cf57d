/** Moving people between waiting, approved and rejected: one or many, each answered by itself. */
import type { AnyMongoAbility } from '@casl/ability';
import { request } from '../../api.ts';
import { asRecord } from '../../rights.ts';
import type { User } from '../../wire.ts';

export type Status = User['approvalStatus'];

export interface Outcome {
  done: User[];
  failed: { user: User; error: unknown }[];
}

/** Few at a time: the service and the connection have others to serve. */
const AT_ONCE = 4;

export async function moveAll(people: User[], status: Status): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const waiting = [...people];
  const work = async () => {
    for (let user = waiting.shift(); user; user = waiting.shift()) {
      await request<User>('PATCH', `/api/users/${user.id}`, { body: { approvalStatus: status } }).then(
        (after) => outcome.done.push(after),
        (error: unknown) => outcome.failed.push({ user, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}

const STEPS: Record<Status, readonly Status[]> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: ['PENDING'],
  REJECTED: ['PENDING'],
};

/** The moves that the service would accept from this person, on this record. */
export function movesOf(ability: AnyMongoAbility, user: User): readonly Status[] {
  const record = asRecord('User', user);
  if (!ability.can('update', record, 'approvalStatus')) return [];
  if (user.approvalStatus === 'REJECTED' && !ability.can('reopen', record)) return [];
  return STEPS[user.approvalStatus];
}
