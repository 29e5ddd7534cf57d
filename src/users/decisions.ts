/**
 * Approvals, rejections, changes of role and of site that whoever asks could take back now: out of the history, which
 * forgets nothing.
 */
import type { Types } from 'mongoose';
import { type AuditEventRecord, AuditEvents, type Change } from '../audit/model.ts';
import { Problem } from '../http/problem.ts';
import { dayOf } from '../lib/day.ts';
import { Locations } from '../locations/model.ts';
import type { Actor } from '../rights/actor.ts';
import { idOf, load, visible } from '../rights/guard.ts';
import { requireMayUpdate } from './change.ts';
import { type UserRecord, Users } from './model.ts';

/** A change of site leaves an approval to be taken back, and the other way round. */
const KINDS = [['approvalStatus', 'role'], ['location']] as const;
/** More than anyone looks through; the history has them all. */
const MOST = 200;

type Decided = Partial<Pick<UserRecord, 'approvalStatus' | 'role' | 'location'>>;
/** With what must still stand. */
type Undo = Decided & { was: Decided };

export interface Decision {
  at: Date;
  by: Types.ObjectId | null;
  user: UserRecord;
  changes: Change[];
  undo: Undo;
}

/** Of one user the last ones, whoever made them; else the caller's own of today, the latest first. */
export async function decisionsToUndo(actor: Actor, user: string | undefined): Promise<Decision[]> {
  if (user) await load(actor, 'read', Users, user);
  else visible(actor, ['list', 'read'], Users, {});
  const latest = await latestDecisions(actor, user);
  const ids = latest.map(({ record }) => record);
  const users = await Users.find(visible(actor, ['read'], Users, { _id: { $in: ids } })).lean<UserRecord[]>();
  const byId = new Map(users.map((one) => [String(one._id), one]));
  const open = await sitesStillOpen(latest);
  return latest.flatMap(({ record, createdAt: at, by, changes }) => {
    const found = byId.get(String(record));
    const undo = found && changes.every(open) ? undoOf(actor, found, changes) : null;
    return found && undo ? [{ at, by, user: found, changes, undo }] : [];
  });
}

/** Of each user and kind the latest, with the changes of that kind alone. */
async function latestDecisions(actor: Actor, user: string | undefined): Promise<AuditEventRecord[]> {
  const whose = user
    ? { record: idOf(user) }
    : { by: actor.user._id, createdAt: { $gte: dayOf(actor.now, actor.zone).start } };
  const eventsOf = (paths: readonly string[], most: number) =>
    AuditEvents.collection
      .find<AuditEventRecord>({
        ...whose,
        subject: 'User',
        action: 'update',
        'changes.path': { $in: [...paths] },
      })
      .sort({ createdAt: -1, _id: -1 })
      .limit(most)
      .toArray();
  const found = await Promise.all(
    KINDS.map(async (paths) => {
      const latest = new Map<string, AuditEventRecord>();
      for (const { changes, ...event } of await eventsOf(paths, user ? 1 : MOST)) {
        const made = changes.filter(({ path }) => (paths as readonly string[]).includes(path));
        const id = String(event.record);
        if (!latest.has(id)) latest.set(id, { ...event, changes: made });
      }
      return [...latest.values()];
    }),
  );
  return found.flat().sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/** Nobody is sent back to a site that is there no more. */
async function sitesStillOpen(events: AuditEventRecord[]): Promise<(change: Change) => boolean> {
  const before = events.flatMap(({ changes }) =>
    changes.flatMap((one) => (one.path === 'location' && one.before ? [one.before as Types.ObjectId] : [])),
  );
  const found =
    before.length > 0 ? await Locations.find({ _id: { $in: before }, deletedAt: null }).lean() : [];
  const open = new Set(found.map(({ _id }) => String(_id)));
  return (change) => change.path !== 'location' || change.before === null || open.has(String(change.before));
}

/** Null where something else came after it, or the rules are against it. */
function undoOf(actor: Actor, user: UserRecord, changes: Change[]): Undo | null {
  const now = user as unknown as Record<string, unknown>;
  // A site is stored by its id, of which each reading makes another object.
  if (changes.some(({ path, after }) => String(now[path]) !== String(after))) return null;
  // Who waits again stands in the list of those who wait.
  if (changes.some(({ path, after }) => path === 'approvalStatus' && after === 'PENDING')) return null;
  const undo: Decided = Object.fromEntries(changes.map(({ path, before }) => [path, before]));
  const was: Decided = Object.fromEntries(changes.map(({ path, after }) => [path, after]));
  try {
    requireMayUpdate(actor, user, undo, undo);
    return { ...undo, was };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
