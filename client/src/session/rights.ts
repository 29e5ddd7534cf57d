/**
 * The user's permissions, by the rules the service sent. The only place that creates records that don't exist yet to
 * check them: a rule may look at any of their fields, and a missing field counts as a no.
 */
import { type AnyMongoAbility, createMongoAbility, type RawRuleOf, subject } from '@casl/ability';
import { type PackRule, unpackRules } from '@casl/ability/extra';
import { matchConditions } from '../../../src/platform/rights/matcher.ts';

export type AccessRight = [action: string, subject: string, field?: string];

export const abilityOf = (rules: SessionRights['rules'] = []): AnyMongoAbility =>
  createMongoAbility(unpackRules(rules as PackRule<RawRuleOf<AnyMongoAbility>>[]), {
    conditionsMatcher: matchConditions,
  });

/** Tells CASL the type of an API record. Copies it, because CASL marks the object. */
export const asPermissionSubject = (name: string, record: object) => subject(name, { ...record });

/** An empty record only passes rules without conditions, which are those for all records. */
export const readsAll = (ability: AnyMongoAbility, name: string): boolean =>
  ability.can('read', asPermissionSubject(name, {}));

/** The part of a stored session that this needs. Rows of older app versions have no `at`. */
export interface SessionRights {
  user: { id: string };
  rules: unknown[][];
  at?: string;
  refreshedAt: number;
}

/**
 * "Today" in the rules is the day the service sent them. Using it as the creation date makes these checks independent
 * of the phone's clock and of how long it has been offline.
 */
export const rightsSentAt = ({ at, refreshedAt }: SessionRights): string =>
  at ?? new Date(refreshedAt).toISOString();

interface RecordFields {
  location?: string | null;
  role?: string;
}

/** The record as the service would store it if this person created it now; for a user, before approval. */
function draftOf(asker: SessionRights, name: string, fields: RecordFields) {
  const common = { createdBy: asker.user.id, createdAt: rightsSentAt(asker), location: null, ...fields };
  return asPermissionSubject(name, name === 'User' ? { approvalStatus: 'PENDING', ...common } : common);
}

export const mayCreate = (asker: SessionRights, name: string, fields: RecordFields = {}): boolean =>
  abilityOf(asker.rules).can('create', draftOf(asker, name, fields));

/** Whether this person may close a site's cash box on this day. */
export const mayCloseDay = (asker: SessionRights, fields: { location: string; day: string }): boolean =>
  abilityOf(asker.rules).can('create', draftOf(asker, 'CashDay', fields));

/** Whether this person may approve a user right when adding them. */
export const mayApproveNewUser = (asker: SessionRights, fields: RecordFields): boolean =>
  abilityOf(asker.rules).can('update', draftOf(asker, 'User', fields), 'approvalStatus');
