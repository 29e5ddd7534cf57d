/**
 * The user's permissions, by the rules that the service sent. The only place that creates records that don't exist yet
 * to check them: a rule may look at any of their fields, and a missing field counts as a no.
 */
import { type AnyMongoAbility, createMongoAbility, type RawRuleOf, subject } from '@casl/ability';
import { type PackRule, unpackRules } from '@casl/ability/extra';
import { matchConditions } from '../../../src/platform/rights/matcher.ts';

export type Right = [action: string, subject: string, field?: string];

export const abilityOf = (rules: SessionRights['rules'] = []): AnyMongoAbility =>
  createMongoAbility(unpackRules(rules as PackRule<RawRuleOf<AnyMongoAbility>>[]), {
    conditionsMatcher: matchConditions,
  });

/** Tells CASL what a record of the wire is. A copy, since the mark is written onto the object. */
export const asRecord = (name: string, record: object) => subject(name, { ...record });

/** Of no record anything is known here: only a right without a condition is one to all of them. */
export const readsAll = (ability: AnyMongoAbility, name: string): boolean =>
  ability.can('read', asRecord(name, {}));

/** Of a session as the device keeps it. One that an older version of the app kept has no `at`. */
export interface SessionRights {
  user: { id: string };
  rules: unknown[][];
  at?: string;
  refreshedAt: number;
}

/**
 * "Today" in the rules is the day on which the service sent them. What is made here is received on a day whose rules
 * are the same, however long the phone is without a signal and whatever its clock says.
 */
export const dayOfRules = ({ at, refreshedAt }: SessionRights): string =>
  at ?? new Date(refreshedAt).toISOString();

interface RecordFields {
  location?: string | null;
  role?: string;
}

/** As the service would store it if this person made it now; of a user, before anybody has approved it. */
function draftOf(asker: SessionRights, name: string, fields: RecordFields) {
  const common = { createdBy: asker.user.id, createdAt: dayOfRules(asker), location: null, ...fields };
  return asRecord(name, name === 'User' ? { approvalStatus: 'PENDING', ...common } : common);
}

export const mayCreate = (asker: SessionRights, name: string, fields: RecordFields = {}): boolean =>
  abilityOf(asker.rules).can('create', draftOf(asker, name, fields));

/** Whether this person may close the cash box of a site on a day. */
export const mayCloseDay = (asker: SessionRights, fields: { location: string; day: string }): boolean =>
  abilityOf(asker.rules).can('create', draftOf(asker, 'CashDay', fields));

/** Of a user who is about to be added: whether this person may approve it at once. */
export const mayApproveNew = (asker: SessionRights, fields: RecordFields): boolean =>
  abilityOf(asker.rules).can('update', draftOf(asker, 'User', fields), 'approvalStatus');
