import type { QueryFilter } from 'mongoose';
import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { createdReply, defineRoute, routeGroup } from '../../platform/http/route.ts';
import { authorFromActor } from '../../platform/rights/actor.ts';
import { requireRight, requireRightToCreate, visibleFilter } from '../../platform/rights/guard.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { loadRounds, type RoundWithoutSettings } from '../../study/rounds/model.ts';
import { codeBatchRoutes } from './batch-routes.ts';
import { findTypedCoupon, verdictOnCoupon } from './check.ts';
import { parseCode } from './code.ts';
import { createBatch } from './issue.ts';
import { codeStateAt, ReferralCodeModel, type ReferralCodeRecord } from './model.ts';
import { giveUpCodes, listReservedCodes, MAX_RESERVED_CODES, reserveCodeBlock } from './reserved-blocks.ts';
import {
  Batch,
  BatchCreate,
  CodeBlockCreate,
  type CodeState,
  CodeVerdict,
  GivenUpCodeCount,
  GiveUpCodes,
  ReferralCode,
  ReferralCodeList,
  ReferralCodeQuery,
  ReservedCodeBlock,
  ReservedCodes,
  VoidCode,
} from './schema.ts';
import { voidCode } from './void.ts';

/** LIVE and EXPIRED differ only by the current time and whether the round is closed. */
function inState(
  state: CodeState | undefined,
  now: Date,
  rounds: RoundWithoutSettings[],
): QueryFilter<ReferralCodeRecord> {
  if (state !== 'LIVE' && state !== 'EXPIRED') return state ? { state } : {};
  const closed = rounds.filter((round) => round.state === 'CLOSED').map(({ _id }) => _id);
  if (state === 'EXPIRED')
    return { state: 'LIVE', $or: [{ expiresAt: { $lte: now } }, { round: { $in: closed } }] };
  const inTime = { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  return { state, ...inTime, ...(closed.length > 0 ? { $nor: [{ round: { $in: closed } }] } : {}) };
}

const toReply = (code: ReferralCodeRecord, now: Date, rounds: RoundWithoutSettings[]) => ({
  ...code,
  state: codeStateAt(code, now, rounds),
});

export const referralCodeRoutes = routeGroup({ tag: 'Referral codes' }, [
  ...codeBatchRoutes,
  defineRoute({
    method: 'get',
    path: '/api/validate-referral-code/:code',
    summary: 'Check whether a referral code is valid',
    description:
      'Accepts any spelling: upper or lower case, with spaces or hyphens, O for 0, I and L for 1. The reply is always 200 and says why a code is not valid.',
    reply: { 200: CodeVerdict },
    readEarly: async ({ code = '' }) => await findTypedCoupon(code),
    handle: async ({ early, now }) => verdictOnCoupon(early, now),
  }),
  defineRoute({
    method: 'get',
    path: '/api/referral-codes',
    memory: 'page',
    summary: 'List referral codes with their state',
    query: ReferralCodeQuery,
    reply: { 200: ReferralCodeList },
    handle: async ({ actor, query, now }) => {
      const { seed, survey, batch, round, state, code } = query;
      const one = code === undefined ? {} : { code: parseCode(code) ?? '' };
      const rounds = await loadRounds();
      const filter = { ...idFilter({ seed, survey, batch, round }), ...one, ...inState(state, now, rounds) };
      const codes = await loadRecordPage(
        ReferralCodeModel,
        visibleFilter(actor, ['read'], ReferralCodeModel, filter),
        query,
      );
      return { ...codes, data: codes.data.map((code) => toReply(code, now, rounds)) };
    },
  }),
  defineRoute({
    method: 'patch',
    path: '/api/referral-codes/:code',
    summary: 'Void a referral code',
    body: VoidCode,
    example: { void: true, reason: 'The coupon was lost.' },
    reply: { 200: ReferralCode },
    problems: ['NOT_FOUND', 'REFERRAL_CODE_USED'],
    handle: async ({ actor, params, body, now }) => {
      const code = parseCode(params.code ?? '');
      if (code === null) throw problem('NOT_FOUND');
      const allow = (coupon: ReferralCodeRecord) => requireRight(actor, 'update', 'ReferralCode', coupon);
      const voided = await voidCode(code, body.reason, authorFromActor(actor), allow);
      return toReply(voided, now, []);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/referral-codes/blocks',
    summary: "Reserve codes for the caller's device",
    description:
      'For offline interviews: the codes become live when a survey has them in `issuedCodes`. At most 100 unused codes per user. A request with a `requestId` can be repeated: it gets 200 and the same codes.',
    body: CodeBlockCreate,
    example: { count: 15 },
    sendToken: {},
    reply: { 200: ReservedCodeBlock, 201: ReservedCodeBlock },
    problems: ['TOO_MANY_RESERVED'],
    handle: async ({ actor, body }) => {
      const { codes, again } = await reserveCodeBlock(actor.user._id, body, actor);
      return again ? { codes } : createdReply({ codes }, '/api/referral-codes/blocks');
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/referral-codes/blocks',
    summary: "List the caller's unused reserved codes",
    description: 'Those that count towards the limit, on all the caller’s devices.',
    reply: { 200: ReservedCodes },
    handle: async ({ actor }) => ({
      codes: await listReservedCodes(actor.user._id),
      limit: MAX_RESERVED_CODES,
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/referral-codes/blocks/give-up',
    summary: 'Free up your reserved codes on a device that was lost or cleared',
    description:
      'This makes room for new codes, up to a hundred a day. Existing coupons with these codes stay valid. Codes that are not the caller’s, or no longer reserved, are neither changed nor counted.',
    body: GiveUpCodes,
    example: { codes: ['ABCDEFGC'] },
    reply: { 200: GivenUpCodeCount },
    handle: async ({ actor, body }) => {
      const codes = body.codes.flatMap((text) => parseCode(text) ?? []);
      return { givenUp: await giveUpCodes(actor.user._id, codes, actor) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/referral-codes/batches',
    memory: 'large',
    summary: 'Create a batch of codes to print, for anyone to hand out',
    body: BatchCreate,
    example: { count: 300, location: '665f1c2ab7e4d90012345678', note: 'for the winter count' },
    reply: { 201: Batch },
    problems: ['NO_ROUND'],
    handle: async ({ actor, body, now }) => {
      const location = await requireExistingLocation(body.location);
      requireRightToCreate(actor, 'ReferralCode', { location, createdBy: actor.user._id, createdAt: now });
      const { count, note = null } = body;
      const batch = await createBatch({ count, location, note }, authorFromActor(actor));
      return createdReply(batch, `/api/referral-codes?batch=${batch.id}`);
    },
  }),
]);
