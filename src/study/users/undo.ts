/** Approvals, rejections, role changes and site changes that the caller could undo now, found in the audit history. */
import type { Types } from 'mongoose';
import { AuditEventModel, type AuditEventRecord } from '../../platform/audit/model.ts';
import type { AuditedFieldChange } from '../../platform/audit/schema.ts';
import { Problem } from '../../platform/http/problems/problem.ts';
import { dayBoundsAt } from '../../platform/lib/day.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { findVisible, loadPermittedRecord, parseId, visibleFilter } from '../../platform/rights/guard.ts';
import { LocationModel } from '../locations/model.ts';
import { requireMayUpdateUser } from './change.ts';
import { UserModel, type UserRecord } from './model.ts';

/** Undone separately: after a change of site an approval can still be undone, and vice versa. */
const DECISION_KINDS = [['approvalStatus', 'role'], ['location']] as const;
/** More than anyone looks through; the audit history has all of them. */
const MAX_DECISIONS = 200;

type DecidedFields = Partial<Pick<UserRecord, 'approvalStatus' | 'role' | 'location'>>;
/** `was`: values that must be unchanged for the undo to be accepted. */
type Undo = DecidedFields & { was: DecidedFields };

export interface UserDecision {
  at: Date;
  by: Types.ObjectId | null;
  user: UserRecord;
  changes: AuditedFieldChange[];
  undo: Undo;
}

/**
 * The latest decisions about one user, by anyone; without a user, the caller's own decisions of today. Newest first.
 */
export async function listUndoableDecisions(actor: Actor, user: string | undefined): Promise<UserDecision[]> {
  if (user) await loadPermittedRecord(actor, 'read', UserModel, user);
  else visibleFilter(actor, ['list', 'read'], UserModel, {});
  const latest = await latestDecisions(actor, user);
  const ids = latest.map(({ record }) => record);
  const users = await findVisible(actor, ['read'], UserModel, { _id: { $in: ids } }).lean<UserRecord[]>();
  const byId = new Map(users.map((one) => [String(one._id), one]));
  const open = await openSiteCheck(latest);
  return latest.flatMap(({ record, createdAt: at, by, changes }) => {
    const account = byId.get(String(record));
    const undo = account && changes.every(open) ? buildUndo(actor, account, changes) : null;
    return account && undo ? [{ at, by, user: account, changes, undo }] : [];
  });
}

/** The latest event of each user and kind, with only the changes of that kind. */
async function latestDecisions(actor: Actor, user: string | undefined): Promise<AuditEventRecord[]> {
  const whose = user
    ? { record: parseId(user) }
    : { by: actor.user._id, createdAt: { $gte: dayBoundsAt(actor.now, actor.zone).start } };
  const eventsOf = (paths: readonly string[], max: number) =>
    AuditEventModel.collection
      .find<AuditEventRecord>({
        ...whose,
        subject: 'User',
        action: 'update',
        'changes.path': { $in: [...paths] },
      })
      .sort({ createdAt: -1, _id: -1 })
      .limit(max)
      .toArray();
  const eventLists = await Promise.all(
    DECISION_KINDS.map(async (paths) => {
      const latest = new Map<string, AuditEventRecord>();
      for (const { changes, ...event } of await eventsOf(paths, user ? 1 : MAX_DECISIONS)) {
        const kindChanges = changes.filter(({ path }) => (paths as readonly string[]).includes(path));
        const id = String(event.record);
        if (!latest.has(id)) latest.set(id, { ...event, changes: kindChanges });
      }
      return [...latest.values()];
    }),
  );
  return eventLists.flat().sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/** Nobody can be moved back to a deleted site. */
async function openSiteCheck(events: AuditEventRecord[]): Promise<(change: AuditedFieldChange) => boolean> {
  const before = events.flatMap(({ changes }) =>
    changes.flatMap((one) => (one.path === 'location' && one.before ? [one.before as Types.ObjectId] : [])),
  );
  const locations =
    before.length > 0 ? await LocationModel.find({ _id: { $in: before }, deletedAt: null }).lean() : [];
  const open = new Set(locations.map(({ _id }) => String(_id)));
  return (change) => change.path !== 'location' || change.before === null || open.has(String(change.before));
}

/** Null if the account has changed since, or the caller lacks permission. */
function buildUndo(actor: Actor, user: UserRecord, changes: AuditedFieldChange[]): Undo | null {
  const now = user as unknown as Record<string, unknown>;
  // Compare as text, because each read creates a new ObjectId.
  if (changes.some(({ path, after }) => String(now[path]) !== String(after))) return null;
  // A pending account is decided in the list of pending accounts instead.
  if (changes.some(({ path, after }) => path === 'approvalStatus' && after === 'PENDING')) return null;
  const undo: DecidedFields = Object.fromEntries(changes.map(({ path, before }) => [path, before]));
  const was: DecidedFields = Object.fromEntries(changes.map(({ path, after }) => [path, after]));
  try {
    requireMayUpdateUser(actor, user, undo, undo);
    return { ...undo, was };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
