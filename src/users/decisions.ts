/** Approvals, rejections and changes of role that whoever asks could take back now: out of the history, which forgets nothing. */
import type { Types } from 'mongoose';
import { type AuditEventRecord, AuditEvents, type Change } from '../audit/model.ts';
import { Problem } from '../http/problem.ts';
import { dayOf } from '../lib/day.ts';
import type { Actor } from '../rights/actor.ts';
import { idOf, load, visible } from '../rights/guard.ts';
import { requireMayUpdate } from './change.ts';
import { type UserRecord, Users } from './model.ts';

const DECIDED = ['approvalStatus', 'role'];
/** More than anyone looks through; the history has them all. */
const MOST = 200;

type Undo = Partial<Pick<UserRecord, 'approvalStatus' | 'role'>>;

export interface Decision {
  at: Date;
  by: Types.ObjectId | null;
  user: UserRecord;
  changes: Change[];
  undo: Undo;
}

/** Of one user the last one, whoever made it; else the caller's own of today, the latest first. */
export async function decisionsToUndo(actor: Actor, user: string | undefined): Promise<Decision[]> {
  if (user) await load(actor, 'read', Users, user);
  else visible(actor, ['list', 'read'], Users, {});
  const latest = await latestDecisions(actor, user);
  const ids = [...latest.values()].map(({ record }) => record);
  const users = await Users.find(visible(actor, ['read'], Users, { _id: { $in: ids } })).lean<UserRecord[]>();
  const byId = new Map(users.map((one) => [String(one._id), one]));
  return [...latest].flatMap(([id, { createdAt: at, by, changes }]) => {
    const found = byId.get(id);
    const undo = found ? undoOf(actor, found, changes) : null;
    return found && undo ? [{ at, by, user: found, changes, undo }] : [];
  });
}

async function latestDecisions(
  actor: Actor,
  user: string | undefined,
): Promise<Map<string, AuditEventRecord>> {
  const whose = user
    ? { record: idOf(user) }
    : { by: actor.user._id, createdAt: { $gte: dayOf(actor.now, actor.zone).start } };
  const decided = { subject: 'User', action: 'update', 'changes.path': { $in: DECIDED } };
  const events = await AuditEvents.collection
    .find<AuditEventRecord>({ ...whose, ...decided })
    .sort({ createdAt: -1, _id: -1 })
    .limit(user ? 1 : MOST)
    .toArray();
  const latest = new Map<string, AuditEventRecord>();
  for (const { changes, ...event } of events) {
    const made = changes.filter(({ path }) => DECIDED.includes(path));
    const id = String(event.record);
    if (!latest.has(id)) latest.set(id, { ...event, changes: made });
  }
  return latest;
}

/** Null where something else came after it, or the rules are against it. */
function undoOf(actor: Actor, user: UserRecord, changes: Change[]): Undo | null {
  const now = user as unknown as Record<string, unknown>;
  if (changes.some(({ path, after }) => now[path] !== after)) return null;
  // Who waits again stands in the list of those who wait.
  if (changes.some(({ path, after }) => path === 'approvalStatus' && after === 'PENDING')) return null;
  const undo = Object.fromEntries(changes.map(({ path, before }) => [path, before])) as Undo;
  try {
    requireMayUpdate(actor, user, undo, undo);
    return undo;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
