/**
 * The checks before every protected handler, in this order: a valid token (401), an approved user (403), the current
 * location from the latest survey, the abilities. One database round trip reads the user and the latest survey.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Types } from 'mongoose';
import { SurveyModel } from '../../interviews/surveys/model.ts';
import { createBatchedReader } from '../../platform/db/batched-reads.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { limitAnalysis, limitUnsignedRequests, limitUser } from '../../platform/http/limits/rate-limits.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { ApiRoute } from '../../platform/http/route.ts';
import type { Actor, AuthenticatedCaller } from '../../platform/rights/actor.ts';
import { readsAll } from '../../platform/rights/guard.ts';
import { type TokenClaims, verifyToken } from '../../platform/rights/token.ts';
import { cachedStudy } from '../../study/settings/cached-study.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { isReadToken } from '../../study/tokens/create.ts';
import { UserModel, type UserRecord, type UserSession } from '../../study/users/model.ts';
import { secondFactorStateOf } from '../../study/users/second-factor.ts';
import { findSessionById, recordLastSeen } from '../../study/users/sessions.ts';
import { abilityFor } from './abilities.ts';
import { actorOfToken } from './read-tokens.ts';
import { areSessionlessTokensAllowed } from './tokens-without-session.ts';

/** The part of a route that the checks need. */
type CheckedRoute = Pick<
  ApiRoute,
  'path' | 'sendToken' | 'signOutToken' | 'needsNoSecondFactor' | 'readEarly'
>;

/** For routes that only need a valid token, regardless of approval. */
export function requireSignedIn(deps: Deps, route: CheckedRoute): RequestHandler {
  return async (req, res, next) => {
    const token = bearerOf(req);
    // Throws, as on every route outside the token's scopes.
    if (token && isReadToken(token)) req.actor = await actorOfToken(deps, toReadEvent(req, route, token));
    else {
      const [caller, study] = await authenticate(deps, route, req, res);
      await requireSecondFactor(deps, route, caller, study);
      req.signedIn = caller;
    }
    next();
  };
}

/** For all other protected routes. */
export function requireApproved(deps: Deps, route: CheckedRoute): RequestHandler {
  return async (req, res, next) => {
    req.actor = await approvedActor(deps, route, req, res);
    next();
  };
}

/** For results, which have a rate limit of their own. */
export function requireResultsAccess(deps: Deps, route: CheckedRoute): RequestHandler {
  return async (req, res, next) => {
    const actor = await approvedActor(deps, route, req, res);
    const user = String(actor.user._id);
    if (!readsAll(actor, 'Recruitment')) {
      if (deps.config.rateLimits) await limitUser(user);
      throw problem('FORBIDDEN');
    }
    if (deps.config.rateLimits) await limitAnalysis(user);
    req.actor = actor;
    next();
  };
}

async function approvedActor(deps: Deps, route: CheckedRoute, req: Request, res: Response): Promise<Actor> {
  const token = bearerOf(req);
  if (token && isReadToken(token)) return await actorOfToken(deps, toReadEvent(req, route, token));
  const [caller, study] = await authenticate(deps, route, req, res);
  if (caller.user.approvalStatus !== 'APPROVED') {
    if (deps.config.rateLimits) await limitUser(String(caller.user._id));
    throw problem('NOT_APPROVED');
  }
  await requireSecondFactor(deps, route, caller, study);
  const now = deps.now();
  const timeZone = study.timeZone ?? deps.config.timeZone;
  return { ...caller, now, zone: timeZone, ability: abilityFor({ ...caller, now, timeZone }) };
}

async function requireSecondFactor(
  { config }: Deps,
  { needsNoSecondFactor }: CheckedRoute,
  { user, session, isSendToken }: AuthenticatedCaller,
  { secondFactor: mode }: StudyRecord,
): Promise<void> {
  if (needsNoSecondFactor || isSendToken) return;
  if (['NOT_NEEDED', 'VERIFIED'].includes(secondFactorStateOf(user, session, mode))) return;
  if (config.rateLimits) await limitUser(String(user._id));
  throw problem('FORBIDDEN', { why: fault('SECOND_FACTOR_REQUIRED') });
}

const toReadEvent = ({ method, ip = '' }: Request, route: CheckedRoute, token: string) => ({
  token,
  method,
  route,
  address: ip,
});

const bearerOf = (req: Request): string | undefined =>
  req.headers.authorization?.match(/^bearer +([^\s]+) *$/i)?.[1];

/**
 * Refused callers are counted against their rate limit here; all others later, in `limitRequests`. The study's settings
 * are read at the same time, unless the token is invalid.
 */
async function authenticate(
  { config, now }: Deps,
  route: CheckedRoute,
  req: Request,
  res: Response,
): Promise<[AuthenticatedCaller, StudyRecord]> {
  const token = bearerOf(req);
  const at = now();
  const owner = token ? verifyToken(config, token, at) : null;
  if (owner && !owner.expired) startEarlyRead(route, req, res);
  const [signedIn, study] =
    owner && !owner.expired ? await Promise.all([findUserAndLatestSurvey(owner.id), cachedStudy()]) : [];
  const session = signedIn && owner ? liveSession(signedIn, owner) : undefined;
  const isSignedIn =
    owner && signedIn && study && !signedIn.deletedAt && (signedIn.tokenGeneration ?? 0) === owner.generation;
  if (!isSignedIn || !(session ?? (await isFromBeforeSessions(owner, config, at)))) {
    if (config.rateLimits) await (owner ? limitUser(String(owner.id)) : limitUnsignedRequests(req.ip ?? ''));
    throw problem('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  if (!isAccepted(owner, route)) {
    if (config.rateLimits) await limitUser(String(owner.id));
    throw problem('FORBIDDEN');
  }
  const { latest, ...user } = signedIn;
  if (session) recordLastSeen(user, session, at);
  const isSendToken = owner.purpose === 'send';
  return [{ user, session, isSendToken, location: currentLocationOfUser(user, latest[0]) }, study];
}

/** Limited, because they start before memory is reserved for the request. */
const MAX_EARLY_READS = 16;
let earlyReads = 0;

/** Called in the turn in which the caller is read, so that one command reads both. Beyond the limit, the route reads later. */
function startEarlyRead({ readEarly }: CheckedRoute, req: Request, res: Response): void {
  if (!readEarly || earlyReads === MAX_EARLY_READS) return;
  earlyReads += 1;
  res.once('close', () => {
    earlyReads -= 1;
  });
  req.early = readEarly(req.params as Record<string, string>);
  // If the caller is refused, nobody waits for it.
  req.early.catch(() => undefined);
}

function isAccepted({ purpose }: TokenClaims, { sendToken, signOutToken }: CheckedRoute): boolean {
  if (purpose === 'send') return sendToken !== undefined;
  return purpose === 'all' || (purpose === 'signOut' && signOutToken === true);
}

/** Signing out on a device ends its token, but not its send token. */
function liveSession(user: UserRecord, { session: id, purpose }: TokenClaims): UserSession | undefined {
  const session = findSessionById(user, id);
  return purpose === 'send' || !session?.signedOutAt ? session : undefined;
}

const isFromBeforeSessions = async (owner: TokenClaims, { jwtTtl }: Deps['config'], now: Date) =>
  owner.session === null && !owner.isFormer && (await areSessionlessTokensAllowed(jwtTtl, now));

interface LatestSurvey {
  location: Types.ObjectId;
  heldAt: Date;
}

interface UserWithLatestSurvey extends UserRecord {
  latest: LatestSurvey[];
}

const findUserAndLatestSurvey = createBatchedReader<Types.ObjectId, UserWithLatestSurvey>({
  collection: () => UserModel.collection,
  filter: (ids) => ({ _id: { $in: ids } }),
  stages: [
    {
      $lookup: {
        from: SurveyModel.collection.collectionName,
        localField: '_id',
        foreignField: 'createdBy',
        pipeline: [
          { $match: { deletedAt: null, importedAt: null } },
          { $sort: { heldAt: -1, _id: -1 } },
          { $limit: 1 },
          // By the original site, because correcting an interview's site doesn't move the interviewer.
          { $project: { _id: 0, location: { $ifNull: ['$sentFrom', '$location'] }, heldAt: 1 } },
        ],
        as: 'latest',
      },
    },
  ],
  keysOfRecord: ({ _id }) => [String(_id)],
});

/**
 * The location of the latest survey that the user created, by its interview date, unless the user was assigned a
 * location after it; without a survey, the assigned location. Imported surveys are ignored.
 */
export function currentLocationOfUser(
  user: Pick<UserRecord, 'location' | 'locationAssignedAt'>,
  latest: LatestSurvey | undefined,
): Types.ObjectId | null {
  if (!latest) return user.location ?? null;
  const assignedLater = user.location && user.locationAssignedAt && user.locationAssignedAt > latest.heldAt;
  return (assignedLater ? user.location : latest.location) ?? null;
}
