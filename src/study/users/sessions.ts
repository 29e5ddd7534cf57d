/**
 * Sessions: one for each sign-in, stored in the user's record, so that checking one needs no extra round trip. A
 * session has the token of its sign-in, and may have a send token, which can only send finished interviews. A send
 * token is valid for longer, and remains valid after the person has signed out on that device.
 */
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { HOUR_MS } from '../../platform/lib/day.ts';
import {
  type Actor,
  type AuthenticatedCaller,
  type Author,
  authorFromActor,
} from '../../platform/rights/actor.ts';
import { loadPermittedRecord, parseId, requireRight } from '../../platform/rights/guard.ts';
import { type SignInMethod, UserModel, type UserRecord, type UserSession } from './model.ts';

/** Above this, the oldest is dropped. */
const MAX_SESSIONS = 20;

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);

export const newSession = (
  fields: Pick<UserSession, 'client' | 'device'> & { method: SignInMethod; ttl: number },
  now: Date,
): UserSession => {
  const { ttl, ...rest } = fields;
  return {
    ...{ id: new mongoose.Types.ObjectId(), ...rest, createdAt: now, lastSeenAt: hourOf(now) },
    ...{ expiresAt: new Date(now.getTime() + ttl * 1000), secondFactor: rest.method === 'passkey' },
  };
};

/**
 * For an update with a pipeline. Drops sessions that have ended, and this device's earlier ones that could only send.
 */
export function userSessionsWithAdded(added: UserSession, now: Date): object {
  const isSignedIn = { $and: [{ $gt: ['$$this.expiresAt', now] }, { $not: ['$$this.signedOutAt'] }] };
  const sends = { $and: [{ $gt: ['$$this.sendsUntil', now] }, { $ne: ['$$this.device', added.device] }] };
  const remainingSessions = {
    $filter: { input: { $ifNull: ['$sessions', []] }, cond: { $or: [isSignedIn, sends] } },
  };
  return { $slice: [{ $concatArrays: [remainingSessions, [{ $literal: added }]] }, -MAX_SESSIONS] };
}

export const findSessionById = (
  { sessions = [] }: Pick<UserRecord, 'sessions'>,
  id: Types.ObjectId | null,
): UserSession | undefined => sessions.find((one) => id !== null && one.id.equals(id));

const sendsAt = ({ sendsUntil }: UserSession, now: Date) => sendsUntil !== undefined && sendsUntil > now;

const isAliveAt = (one: UserSession, now: Date) =>
  (one.expiresAt > now && !one.signedOutAt) || sendsAt(one, now);

/** Newest first. */
export const listSessions = (
  { sessions = [] }: Pick<UserRecord, 'sessions'>,
  now: Date,
  current?: UserSession,
) => ({
  data: sessions
    .filter((one) => isAliveAt(one, now))
    .reverse()
    .map((one) => ({ ...one, current: current !== undefined && one.id.equals(current.id) })),
});

/** Callers who may end the sessions of an account may see them. */
export async function loadUserToSignOut(
  actor: Actor,
  id: string,
  session?: ClientSession,
): Promise<UserRecord> {
  const user = await loadPermittedRecord(actor, 'update', UserModel, id, session);
  requireRight(actor, 'update', 'User', user, 'approvalStatus');
  return user;
}

/** Runs in the background and at most once an hour: no request waits for it, and nothing depends on it. */
export function recordLastSeen(
  { _id }: Pick<UserRecord, '_id'>,
  { id, lastSeenAt }: UserSession,
  now: Date,
): void {
  const hour = hourOf(now);
  if (lastSeenAt >= hour) return;
  const earlier = { sessions: { $elemMatch: { id, lastSeenAt: { $lt: hour } } } };
  UserModel.collection
    .updateOne({ _id, ...earlier }, { $set: { 'sessions.$.lastSeenAt': hour } })
    .catch(() => {});
}

const SEND_TOKEN_DAYS = 30;

/** Returns until when a new send token for the caller's session is valid. */
export async function startSendToken(caller: AuthenticatedCaller, now: Date): Promise<Date> {
  const { user, session } = caller;
  if (!session) throw problem('FORBIDDEN');
  const until = new Date(now.getTime() + SEND_TOKEN_DAYS * 24 * HOUR_MS);
  const open = {
    _id: user._id,
    sessions: { $elemMatch: { id: session.id, signedOutAt: { $exists: false } } },
  };
  const { matchedCount } = await UserModel.collection.updateOne(open, {
    $set: { 'sessions.$.sendsUntil': until },
  });
  if (matchedCount === 0) throw problem('UNAUTHORIZED');
  return until;
}

/**
 * Signs out on this device: its token ends, but its send token, if any, stays valid. Tokens without a session can't be
 * ended.
 */
export async function endCurrentSession(caller: AuthenticatedCaller, now: Date): Promise<void> {
  const { user, session: current, deadline } = caller;
  if (!current) return;
  await inTransaction(async (session) => {
    const userSession = await ownSession(session, user._id, current.id);
    if (!userSession || userSession.signedOutAt) return;
    const filter = { _id: user._id, 'sessions.id': current.id };
    const change = sendsAt(userSession, now)
      ? { $set: { 'sessions.$.signedOutAt': now } }
      : { $pull: { sessions: { id: current.id } } };
    await UserModel.collection.updateOne(filter, change as object, { session });
    await auditEnd(session, user, userSession, { by: user._id, now });
  }, deadline);
}

/** Ends another session of the caller, including its send token. */
export async function endOtherSession(caller: AuthenticatedCaller, id: string, now: Date): Promise<void> {
  const { user, deadline } = caller;
  const sessionId = parseId(id);
  await inTransaction(async (session) => {
    const userSession = await ownSession(session, user._id, sessionId);
    if (!userSession) throw problem('NOT_FOUND');
    const ended = { $pull: { sessions: { id: sessionId } } };
    await UserModel.collection.updateOne({ _id: user._id }, ended as object, { session });
    await auditEnd(session, user, userSession, { by: user._id, now });
  }, deadline);
}

async function ownSession(
  session: ClientSession,
  _id: Types.ObjectId,
  id: Types.ObjectId,
): Promise<UserSession | undefined> {
  const user = await UserModel.findById(_id, { sessions: 1 }).session(session).lean<UserRecord>();
  return user ? findSessionById(user, id) : undefined;
}

async function auditEnd(
  session: ClientSession,
  { _id: record, location }: Pick<UserRecord, '_id' | 'location'>,
  { client }: UserSession,
  author: Author,
): Promise<void> {
  const changes = [{ path: 'sessions', before: client, after: null }];
  await audit(session, author, { action: 'endSession', subject: 'User', record, location, changes });
}

export async function signOutEverywhere({ user, deadline }: AuthenticatedCaller, now: Date): Promise<void> {
  await inTransaction((session) => endTokens(session, user, { by: user._id, now }), deadline);
}

export async function signOutUser(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    const user = await loadUserToSignOut(actor, id, session);
    await endTokens(session, user, authorFromActor(actor));
  }, actor.deadline);
}

/** All processes refuse tokens issued before this from the next request on. */
async function endTokens(session: ClientSession, user: UserRecord, author: Author): Promise<void> {
  const { _id: record, location } = user;
  const ended = { $inc: { tokenGeneration: 1 }, $set: { sessions: [] } };
  await UserModel.collection.updateOne({ _id: record }, ended, { session });
  await audit(session, author, { action: 'signOut', subject: 'User', record, location });
}
