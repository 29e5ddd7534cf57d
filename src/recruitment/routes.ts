import mongoose, { type Types } from 'mongoose';
import { problem } from '../http/problem.ts';
import { large, type Route, route } from '../http/route.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll } from '../rights/guard.ts';
import { FirstTotals, Summary, SummaryQuery, Tree, TreeQuery } from './schema.ts';
import { type Asked, summaryOf, totalsOf } from './summary.ts';
import { treeOf } from './tree.ts';

declare module '../rights/ability.ts' {
  interface Records {
    /** Counts over all surveys, which say nothing of a single one. */
    Recruitment: { _id: Types.ObjectId };
  }
}

const tag = 'Recruitment';

/** Counts over all days and sites: a right of its own, since nobody but a super-admin reads all surveys. */
function mayReadRecruitment(actor: Actor): void {
  if (!readsAll(actor, 'Recruitment')) throw problem('FORBIDDEN');
}

const asked = ({ query, now, actor }: { query: SummaryQuery; now: Date; actor: Actor }): Asked => ({
  query,
  now,
  zone: actor.zone,
  store: mongoose.connection.name,
});

export const recruitmentRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/recruitment/summary',
    access: 'approved',
    tag,
    summary: 'How recruitment goes: interviews, waves, chains, coupons, seeds, alerts',
    description:
      'A coupon is live until it comes back, is declared void or expires. A seed is productive while a coupon of its chain is live. Days and windows go by when an interview was held (its `startedAt`), however late it arrived; one whose clock was odd (CLOCK_ODD) goes by its arrival. `location`, `from` and `to` narrow the interviews counted: totals, days, waves, chains, recruits each; coupons, seeds and alerts are always those of the whole study, now. Deleted interviews are not counted, though the coupons that they handed out stay good. An answer may be five seconds old; what time alone changes (a coupon that expires), a minute.',
    query: SummaryQuery,
    reply: { 200: Summary },
    problems: ['FORBIDDEN'],
    handle: async (call) => {
      mayReadRecruitment(call.actor);
      return await summaryOf(asked(call));
    },
  }),
  route({
    method: 'get',
    path: '/api/recruitment/totals',
    access: 'approved',
    tag,
    summary: 'How many interviews there are',
    description:
      'The first figures of the same counting as the summary, in a third of its time: who asks for both is charged for one.',
    query: SummaryQuery,
    reply: { 200: FirstTotals },
    problems: ['FORBIDDEN'],
    handle: async (call) => {
      mayReadRecruitment(call.actor);
      return await totalsOf(asked(call));
    },
  }),
  route({
    method: 'get',
    path: '/api/recruitment/tree',
    access: 'approved',
    tag,
    summary: 'The recruitment tree of one seed',
    description:
      'Breadth first, so that a recruiter stands before its recruits; at most 5,000. Deleted ones are in it, without an answer. `question` names a choice question of the active questionnaire.',
    query: TreeQuery,
    reply: { 200: Tree },
    problems: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ actor, query }) => {
      mayReadRecruitment(actor);
      return large(await treeOf(actor, new mongoose.Types.ObjectId(query.seed), query));
    },
  }),
];
