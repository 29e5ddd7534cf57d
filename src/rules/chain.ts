/**
 * What stands before every protected handler, in the order of the specification: a valid token (401), an approved
 * user (403), the current location from the latest survey, the abilities. One round trip to the database, by two
 * indexes: the user by id, the latest survey by its creator.
 */
import type { Request, RequestHandler } from 'express';
import type { Types } from 'mongoose';
import { batchedReader } from '../db/batch.ts';
import type { Deps } from '../http/deps.ts';
import { limitUnsigned, limitUser } from '../http/limits.ts';
import { problem } from '../http/problem.ts';
import type { SignedIn } from '../rights/actor.ts';
import { ownerOf } from '../rights/token.ts';
import { zoneOf } from '../study/zone.ts';
import { Surveys } from '../surveys/model.ts';
import { type UserRecord, Users } from '../users/model.ts';
import { abilityFor } from './abilities.ts';

/** For routes that a valid token opens, whatever the approval status. */
export function signedIn(deps: Deps): RequestHandler {
  return async (req, _res, next) => {
    [req.signedIn] = await whoSent(deps, req);
    next();
  };
}

/** For every protected route. */
export function approved(deps: Deps): RequestHandler {
  return async (req, _res, next) => {
    const zone = () => zoneOf(deps.config);
    const [caller, timeZone] = await whoSent(deps, req, zone);
    if (caller.user.approvalStatus !== 'APPROVED') {
      if (deps.config.rateLimits) await limitUser(String(caller.user._id));
      throw problem('NOT_APPROVED');
    }
    const now = deps.now();
    req.actor = { ...caller, now, zone: timeZone, ability: abilityFor({ ...caller, now, timeZone }) };
    next();
  };
}

/**
 * Who is refused here is counted here; everyone else in `limitRequests`, behind this. What else is needed of the
 * database is read `alongside`, and nothing for a stranger.
 */
async function whoSent<T>(
  { config, now }: Deps,
  req: Request,
  alongside?: () => Promise<T>,
): Promise<[SignedIn, T]> {
  const token = /^bearer +([^\s]+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  const owner = token ? ownerOf(config, token, now()) : null;
  const [found, more] =
    owner && !owner.expired ? await Promise.all([userAndLatestSurvey(owner.id), alongside?.()]) : [];
  if (!found || found.deletedAt) {
    if (config.rateLimits) await (owner ? limitUser(String(owner.id)) : limitUnsigned(req.ip ?? ''));
    throw problem('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  const { latest, ...user } = found;
  return [{ user, location: currentLocation(user, latest[0]) }, more as T];
}

interface LatestSurvey {
  location: Types.ObjectId;
  createdAt: Date;
}

interface Found extends UserRecord {
  latest: LatestSurvey[];
}

/** Both in one round trip, which requests that come at the same time share. */
const userAndLatestSurvey = batchedReader<Types.ObjectId, Found>(async (ids) => {
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
