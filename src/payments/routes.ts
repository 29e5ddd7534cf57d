import { PAGE_MEMORY } from '../http/memory-budget.ts';
import { route, routeGroup } from '../http/route.ts';
import {
  Claim,
  Incentive,
  IncentiveList,
  IncentivePay,
  IncentiveQuery,
  IncentiveReason,
  IncentiveSummary,
  IncentiveSummaryQuery,
  IncentivesPaid,
  IncentivesPay,
} from '../incentives/schema.ts';
import { findClaim } from './claim.ts';
import { listIncentives } from './list.ts';
import { payIncentive, payIncentives } from './pay.ts';
import { hideInterviewsOf } from './right.ts';
import { incentiveSummary } from './summary.ts';
import { reopenIncentive, withdrawIncentive } from './withdraw.ts';

const EXAMPLE = { method: 'CASH', clientId: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a11' };

export const paymentRoutes = routeGroup({ tag: 'Incentives' }, [
  route({
    method: 'get',
    path: '/api/incentives',
    memory: PAGE_MEMORY,
    summary: 'List incentives, limited to those that the caller may read',
    description:
      '`from` and `to` go by when they were paid. With `survey`, who may update that survey sees all of it.',
    query: IncentiveQuery,
    reply: { 200: IncentiveList },
    handle: async ({ actor, query }) => await listIncentives(actor, query),
  }),
  route({
    method: 'get',
    path: '/api/incentives/summary',
    memory: 2,
    summary: 'What was paid, and what is due',
    description:
      'Counts what the caller may read. `location` narrows everything (of what is not paid: the site of the survey); `paidBy`, `from` and `to` narrow what was paid.',
    query: IncentiveSummaryQuery,
    reply: { 200: IncentiveSummary },
    handle: async ({ actor, query }) => await incentiveSummary(actor, query),
  }),
  route({
    method: 'get',
    path: '/api/incentives/claim/:code',
    summary: 'What is due to the person who came with this code',
    description: 'The code is the claim number. 60 an hour for each user, codes that are not found included.',
    reply: { 200: Claim },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, params, deps }) => await findClaim(actor, params.code ?? '', deps.config),
  }),
  route({
    method: 'post',
    path: '/api/incentives/pay',
    isLong: true,
    summary: 'Pay several incentives',
    description: "Each by itself, at the caller's current site. For who reads all incentives.",
    body: IncentivesPay,
    example: { payments: [{ id: '665f1c2ab7e4d90012345678', ...EXAMPLE }] },
    reply: { 200: IncentivesPaid },
    handle: async ({ actor, body, deps }) =>
      await payIncentives(actor, body, (error) => deps.log.error({ err: error }, 'a payment failed')),
  }),
  route({
    method: 'post',
    path: '/api/incentives/:id/pay',
    summary: 'Pay an incentive',
    description:
      "Of many requests exactly one pays. The caller's same `clientId` again answers 200 with the record, and nothing is paid.",
    body: IncentivePay,
    example: { ...EXAMPLE, code: 'ABCD-EFGC' },
    reply: { 200: Incentive },
    problems: ['ALREADY_PAID', 'NOTHING_DUE', 'EDIT_CONFLICT', 'INVALID_TRANSITION'],
    handle: async ({ actor, id, body }) => await hideInterviewsOf(actor, await payIncentive(actor, id, body)),
  }),
  route({
    method: 'post',
    path: '/api/incentives/:id/withdraw',
    summary: 'Withdraw an incentive that is due, for good',
    body: IncentiveReason,
    example: { reason: 'The coupon was sold.' },
    reply: { 200: Incentive },
    problems: ['ALREADY_PAID', 'NOTHING_DUE'],
    handle: async ({ actor, id, body }) =>
      await hideInterviewsOf(actor, await withdrawIncentive(actor, id, body.reason)),
  }),
  route({
    method: 'post',
    path: '/api/incentives/:id/reopen',
    summary: 'Take back a payment or a withdrawal that was a mistake',
    description: 'It is due again if the interview and the recruit still count, else withdrawn.',
    body: IncentiveReason,
    example: { reason: 'Entered for the wrong person.' },
    reply: { 200: Incentive },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, body }) =>
      await hideInterviewsOf(actor, await reopenIncentive(actor, id, body.reason)),
  }),
]);
