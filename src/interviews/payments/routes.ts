import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { CardDetails } from '../cards/schema.ts';
import {
  BatchPaymentRequest,
  Claim,
  Incentive,
  IncentiveList,
  IncentivePay,
  IncentiveQuery,
  IncentiveReasonInput,
  IncentiveReopen,
  IncentiveSummary,
  IncentiveSummaryQuery,
  PaidIncentive,
  PayIncentivesResult,
} from '../incentives/schema.ts';
import { findClaim } from './claim.ts';
import { listIncentives } from './list.ts';
import { payIncentive, payIncentives } from './pay.ts';
import { incentiveReplyFor } from './show.ts';
import { showIncentiveCard } from './show-card.ts';
import { incentiveSummary } from './summary.ts';
import { reopenIncentive, withdrawUnpaidIncentive } from './withdraw.ts';

const EXAMPLE = { method: 'CASH', clientId: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a11' };

export const paymentRoutes = routeGroup({ tag: 'Incentives' }, [
  defineRoute({
    method: 'get',
    path: '/api/incentives',
    memory: 'page',
    summary: 'List incentives, limited to those that the caller may read',
    description:
      '`from` and `to` filter by when they were paid. With `survey`, a caller who may update that survey sees all its incentives. Claim numbers and coupons are only shown to callers who may read the survey or codes.',
    query: IncentiveQuery,
    reply: { 200: IncentiveList },
    handle: async ({ actor, query }) => await listIncentives(actor, query),
  }),
  defineRoute({
    method: 'get',
    path: '/api/incentives/summary',
    memory: 'small',
    summary: 'Get totals of what was paid and what is due',
    description:
      'Only counts incentives that the caller may read. `location` filters everything (unpaid incentives by the site of the survey); `paidBy`, `from` and `to` filter what was paid.',
    query: IncentiveSummaryQuery,
    reply: { 200: IncentiveSummary },
    handle: async ({ actor, query }) => await incentiveSummary(actor, query),
  }),
  defineRoute({
    method: 'get',
    path: '/api/incentives/claim/:code',
    summary: 'Get what is due to the person who came with this code',
    description:
      'The code is the claim number. Each user can look up 60 an hour, including codes that are not found. The audit trail says who looked.',
    reply: { 200: Claim },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, params, deps }) => await findClaim(actor, params.code ?? '', deps),
  }),
  defineRoute({
    method: 'post',
    path: '/api/incentives/pay',
    isLong: true,
    summary: 'Pay several incentives',
    description:
      "Each one separately, at `location` or the caller's current site. Only for callers who may read all incentives.",
    body: BatchPaymentRequest,
    example: { payments: [{ id: '665f1c2ab7e4d90012345678', ...EXAMPLE }] },
    reply: { 200: PayIncentivesResult },
    handle: async ({ actor, body, deps }) =>
      await payIncentives(actor, body, {
        config: deps.config,
        unexpected: (error) => deps.log.error({ err: error }, 'a payment failed'),
      }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/incentives/:id/pay',
    summary: 'Pay an incentive',
    description:
      'If several requests pay it at once, exactly one succeeds. Sending the same `clientId` again gets 200 with the record, and nothing is paid twice.',
    body: IncentivePay,
    example: { ...EXAMPLE, code: 'ABCD-EFGC' },
    reply: { 200: PaidIncentive },
    problems: [
      ...(['ALREADY_PAID', 'NOTHING_DUE', 'EDIT_CONFLICT', 'INVALID_TRANSITION'] as const),
      ...(['NO_CARD_LEFT', 'NO_CONTACT'] as const),
    ],
    handle: async ({ actor, id, body, deps }) => {
      const { incentive, card } = await payIncentive(actor, id, body, deps.config);
      const reply = await incentiveReplyFor(actor, incentive);
      return body.card ? { ...reply, card } : reply;
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/incentives/:id/card',
    summary: 'Show the gift card of a payment again',
    description:
      'For whoever paid it, within 24 hours (a texted one only if the text did not arrive), and for callers who may read cards. The history records who saw it.',
    reply: { 200: CardDetails },
    handle: async ({ actor, id, deps }) => await showIncentiveCard(actor, id, deps),
  }),
  defineRoute({
    method: 'post',
    path: '/api/incentives/:id/withdraw',
    summary: 'Permanently withdraw an incentive that is due',
    body: IncentiveReasonInput,
    example: { reason: 'The coupon was sold.' },
    reply: { 200: Incentive },
    problems: ['ALREADY_PAID', 'NOTHING_DUE'],
    handle: async ({ actor, id, body }) =>
      await incentiveReplyFor(actor, await withdrawUnpaidIncentive(actor, id, body.reason)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/incentives/:id/reopen',
    summary: 'Undo a payment or withdrawal that was a mistake',
    description:
      'The incentive is due again if the interview and the recruit still count; otherwise it is withdrawn.',
    body: IncentiveReopen,
    example: { reason: 'Entered for the wrong person.' },
    reply: { 200: Incentive },
    problems: ['INVALID_TRANSITION', 'EDIT_CONFLICT'],
    handle: async ({ actor, id, body }) =>
      await incentiveReplyFor(actor, await reopenIncentive(actor, id, body)),
  }),
]);
