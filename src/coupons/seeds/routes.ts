import mongoose, { type ClientSession } from 'mongoose';
import type { Deps } from '../../platform/http/deps.ts';
import { countAgainstLimit, type RateLimit } from '../../platform/http/limits/rate-limits.ts';
import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { processEach } from '../../platform/http/problems/process-each.ts';
import { createdReply, defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import {
  loadPermittedRecord,
  requireReadsAll,
  requireRightToCreate,
  visibleFilter,
} from '../../platform/rights/guard.ts';
import { hideClaimedCodes } from './claimed-codes.ts';
import { createSeeds, deleteSeed } from './create.ts';
import { SeedModel } from './model.ts';
import {
  type ChainState,
  Seed,
  SeedCreate,
  SeedList,
  SeedQuery,
  SeedsDelete,
  SeedsDeleted,
} from './schema.ts';

declare module '../../platform/http/deps.ts' {
  interface Deps {
    /** Passed in, because it depends on interviews and coupons, which this folder must not import. */
    seedsWhoseChainIs(state: ChainState, now: Date): Promise<mongoose.Types.ObjectId[]>;
  }
}

/** For volunteers, because each seed starts a chain. A walk-in's seed comes with its interview and doesn't count. */
const SEED_LIMIT: RateLimit = { name: 'seeds', points: 20, duration: 86_400 };

/** Chains cross sites, so this filter requires the right to read recruitment at all sites. */
async function chainFilter(actor: Actor, deps: Deps, state: ChainState, now: Date) {
  requireReadsAll(actor, 'Recruitment');
  return { _id: { $in: await deps.seedsWhoseChainIs(state, now) } };
}

export const seedRoutes = routeGroup({ tag: 'Seeds' }, [
  defineRoute({
    method: 'get',
    path: '/api/seeds',
    memory: 'page',
    summary: 'List seeds',
    query: SeedQuery,
    reply: { 200: SeedList },
    handle: async ({ actor, deps, query: { chain, ...query }, now }) => {
      const { location, round, kind, unused } = query;
      const filter = {
        ...(chain ? await chainFilter(actor, deps, chain, now) : {}),
        ...idFilter({ location, round }),
        ...(kind ? { kind } : {}),
        ...(unused === 'true' ? { survey: null } : {}),
      };
      const seeds = await loadRecordPage(SeedModel, visibleFilter(actor, ['read'], SeedModel, filter), query);
      return { ...seeds, data: await hideClaimedCodes(actor, deps, seeds.data) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/seeds/:id',
    summary: 'Get one seed',
    reply: { 200: Seed },
    handle: async ({ actor, id, deps }) => {
      const [seed] = await hideClaimedCodes(actor, deps, [
        await loadPermittedRecord(actor, 'read', SeedModel, id),
      ]);
      return seed;
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/seeds',
    summary: 'Create a seed, with its referral code',
    description:
      'The first person of a chain, chosen by staff. `location` is the `id` of a location. The `referralCode` in the reply goes onto that person’s coupon, and their interview redeems it. Volunteers can create 20 a day; walk-ins don’t count.',
    body: SeedCreate,
    example: { location: '665f1c2ab7e4d90012345678', note: 'known at the soup kitchen' },
    reply: { 201: Seed },
    problems: ['NO_ROUND'],
    handle: async ({ actor, body, now, deps }) => {
      // Whether it exists is checked in the transaction that stores the seed.
      const location = new mongoose.Types.ObjectId(body.location);
      const by = actor.user._id;
      requireRightToCreate(actor, 'Seed', { location, createdBy: by, createdAt: now });
      if (deps.config.rateLimits && actor.user.role === 'VOLUNTEER')
        await countAgainstLimit(SEED_LIMIT, by.toHexString());
      const fields = {
        kind: 'PLANNED' as const,
        location,
        note: body.note || null,
        ...authorFromActor(actor),
      };
      const [seed] = await createSeeds(fields, 1);
      return createdReply(seed, `/api/seeds/${seed?._id}`);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/seeds/delete',
    isLong: true,
    summary: 'Delete many unused seeds at once, which voids their codes',
    description: 'Each one separately, like `DELETE /api/seeds/:id`.',
    body: SeedsDelete,
    example: { ids: ['665f1c2ab7e4d90012345678'] },
    reply: { 200: SeedsDeleted },
    handle: async ({ actor, body, deps }) => {
      if (!actor.ability.can('delete', 'Seed')) throw problem('FORBIDDEN');
      return await processEach(
        body.ids.map((id) => ({ id })),
        ({ id }) =>
          deleteSeed(
            (session) => loadPermittedRecord(actor, 'delete', SeedModel, id, session),
            authorFromActor(actor),
          ),
        (error) => deps.log.error({ err: error }, 'deleting a seed failed'),
      );
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/seeds/:id',
    summary: 'Delete an unused seed, which voids its code',
    reply: { 204: null },
    problems: ['SEED_IN_USE'],
    handle: async ({ actor, id }) => {
      const find = (session: ClientSession) => loadPermittedRecord(actor, 'delete', SeedModel, id, session);
      await deleteSeed(find, authorFromActor(actor));
      return noContentReply();
    },
  }),
]);
