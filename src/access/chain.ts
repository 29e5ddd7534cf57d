/**
 * What stands before every protected handler, in the order of the specification: a valid token (401), an approved
 * user (403), the current location from the latest survey, the abilities. One round trip to the database, by two
 * indexes: the user by id, the latest survey by its creator.
 */
import type { RequestHandler } from 'express';
import type { Types } from 'mongoose';
import { userIdOf } from '../auth/token.ts';
import { inBatches } from '../db/batch.ts';
import type { Deps } from '../http/deps.ts';
import { problem } from '../http/problem.ts';
import { Surveys } from '../surveys/model.ts';
import { type UserRecord, Users } from '../users/model.ts';
import { type AppAbility, abilityFor } from './abilities.ts';

/** Who a valid token belongs to; not yet approved perhaps. */
export interface SignedIn {
  user: UserRecord;
  location: Types.ObjectId | null;
}

/** An approved caller with all that rights are decided by. */
export interface Actor extends SignedIn {
  ability: AppAbility;
  now: Date;
}

declare module 'express-serve-static-core' {
  interface Request {
    signedIn?: SignedIn;
    actor?: Actor;
  }
}

/** For routes that a valid token opens, whatever the approval status. */
export function signedIn(deps: Deps): RequestHandler {
  return async (req, _res, next) => {
    req.signedIn = await whoSent(deps, req.headers.authorization);
    next();
  };
}

/** For every protected route. */
export function approved(deps: Deps): RequestHandler {
  return async (req, _res, next) => {
    const caller = await whoSent(deps, req.headers.authorization);
    if (caller.user.approvalStatus !== 'APPROVED') throw problem('NOT_APPROVED');
    const now = deps.now();
    req.actor = { ...caller, now, ability: abilityFor({ ...caller, now, timeZone: deps.config.timeZone }) };
    next();
  };
}

async function whoSent(deps: Deps, header: string | undefined): Promise<SignedIn> {
  const token = /^bearer +([^\s]+) *$/i.exec(header ?? '')?.[1];
  const id = token ? userIdOf(deps.config, token, deps.now()) : null;
  if (!id) throw problem('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  const found = await userAndLatestSurvey(id);
  if (!found || found.deletedAt) throw problem('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  const { latest, ...user } = found;
  return { user, location: currentLocation(user, latest[0]) };
}

interface LatestSurvey {
  location: Types.ObjectId;
  createdAt: Date;
}

interface Found extends UserRecord {
  latest: LatestSurvey[];
}

/** Both in one round trip, which requests that come at the same time share. */
const userAndLatestSurvey = inBatches<Types.ObjectId, Found>(async (ids) => {
  const latest = {
    from: Surveys.collection.collectionName,
    localField: '_id',
    foreignField: 'createdBy',
    pipeline: [
      { $match: { deletedAt: null } },
      { $sort: { createdAt: -1, _id: -1 } },
      { $limit: 1 },
      { $project: { _id: 0, location: 1, createdAt: 1 } },
    ],
    as: 'latest',
  };
  const found = await Users.collection
    .aggregate<Found>([{ $match: { _id: { $in: ids } } }, { $lookup: latest }])
    .toArray();
  return new Map(found.map((one) => [String(one._id), one]));
});

/**
 * The location of the latest survey that the user created, unless an administrator assigned the user a location
 * after it; without a survey, the assigned one.
 */
export function currentLocation(
  user: Pick<UserRecord, 'location' | 'locationAssignedAt'>,
  latest: LatestSurvey | undefined,
): Types.ObjectId | null {
  if (!latest) return user.location ?? null;
  const assignedLater =
    user.location && user.locationAssignedAt && user.locationAssignedAt > latest.createdAt;
  return (assignedLater ? user.location : latest.location) ?? null;
}
