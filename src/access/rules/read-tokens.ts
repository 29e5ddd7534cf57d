/**
 * Requests of programs with a read token (study/tokens). One round trip reads the token with its creator, so losing
 * approval or role ends the token at once in every process.
 */
import type { Types } from 'mongoose';
import { recordRead } from '../../platform/audit/record-read.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { limitUnsignedRequests, limitUser } from '../../platform/http/limits/rate-limits.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { ApiRoute } from '../../platform/http/route.ts';
import { HOUR_MS } from '../../platform/lib/day.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { studyTimeZone } from '../../study/settings/time-zone.ts';
import { hashOfToken } from '../../study/tokens/create.ts';
import { ReadTokenModel, type ReadTokenRecord } from '../../study/tokens/model.ts';
import { TOKEN_SCOPE_API_PATHS } from '../../study/tokens/schema.ts';
import { UserModel, type UserRecord } from '../../study/users/model.ts';
import { abilityOfToken } from './abilities.ts';

interface Read {
  token: string;
  /** The request's method. */
  method: string;
  route: Pick<ApiRoute, 'path'>;
  address: string;
}

/** The token acts like a separate person: with its own rate limits, and under its own id in the history. */
export async function actorOfToken(deps: Deps, { token, method, route, address }: Read): Promise<Actor> {
  const now = deps.now();
  const [tokenRecord, timeZone] = await Promise.all([findToken(token, now), studyTimeZone(deps.config)]);
  if (!tokenRecord) {
    if (deps.config.rateLimits) await limitUnsignedRequests(address);
    throw problem('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  const { _id, scopes } = tokenRecord;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || !scopes.some((scope) => route.path.startsWith(TOKEN_SCOPE_API_PATHS[scope]))) {
    if (deps.config.rateLimits) await limitUser(String(_id));
    throw problem('FORBIDDEN');
  }
  recordUse(tokenRecord, now);
  const user: UserRecord = { ...tokenRecord.maker, _id, role: 'ADMIN', permissions: [], location: null };
  const ability = abilityOfToken({ user, location: null, now, timeZone }, scopes);
  const actor: Actor = { user, location: null, now, zone: timeZone, ability };
  // Files have events of their own; no other reply to a token is about individual people.
  if (!route.path.startsWith(TOKEN_SCOPE_API_PATHS.EXPORTS)) {
    const changes = [{ path: 'path', before: null, after: route.path }];
    await recordRead(actor, { subject: 'ReadToken', record: _id, location: null, changes }, deps.log);
  }
  return actor;
}

type TokenWithMaker = ReadTokenRecord & { maker: UserRecord };

async function findToken(token: string, now: Date): Promise<TokenWithMaker | null> {
  const [tokenRecord] = await ReadTokenModel.collection
    .aggregate<ReadTokenRecord & { makers: UserRecord[] }>([
      { $match: { hash: hashOfToken(token), deletedAt: null, expiresAt: { $gt: now } } },
      {
        $lookup: {
          from: UserModel.collection.collectionName,
          localField: 'createdBy',
          foreignField: '_id',
          pipeline: [{ $match: { role: 'SUPER_ADMIN', approvalStatus: 'APPROVED', deletedAt: null } }],
          as: 'makers',
        },
      },
    ])
    .toArray();
  const maker = tokenRecord?.makers[0];
  return tokenRecord && maker ? { ...tokenRecord, maker } : null;
}

/** Runs in the background and at most once an hour: no request waits for it, and nothing depends on it. */
function recordUse({ _id, lastUsedAt }: { _id: Types.ObjectId; lastUsedAt: Date | null }, now: Date): void {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  if (lastUsedAt && lastUsedAt >= hour) return;
  ReadTokenModel.collection.updateOne({ _id }, { $max: { lastUsedAt: hour } }).catch(() => {});
}
