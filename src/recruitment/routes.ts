import mongoose, { type Types } from 'mongoose';
import { problem } from '../http/problem.ts';
import { largeReply, route, routeGroup } from '../http/route.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll } from '../rights/guard.ts';
import { ask } from '../study-table/ask.ts';
import { chainsFigure } from './chains.ts';
import { interviewersOf } from './interviewers.ts';
import { paceOf } from './pace.ts';
import { InterviewerProgress, Pace, PaceQuery, RankedQuery, SiteProgress } from './pace-schema.ts';
import { Chains, ChainsQuery, Summary, SummaryQuery, Tree, TreeQuery } from './schema.ts';
import { sitesOf } from './sites.ts';
import { summaryOf } from './summary.ts';
import { treeOf } from './tree.ts';
import type { QueryContext } from './window.ts';

declare module '../rights/ability.ts' {
  interface Records {
    /** Counts over surveys, which say nothing of a single one: of a site, or without a location of all. */
    Recruitment: { _id: Types.ObjectId; location: Types.ObjectId | null };
  }
}

/** Chains and trees cross sites. */
function mayReadRecruitment(actor: Actor): void {
  if (!readsAll(actor, 'Recruitment')) throw problem('FORBIDDEN');
}

/**
 * The site that the answer is cut to, or null: a right of its own, since nobody but a super-admin reads all surveys. Who
 * has it under a condition reads the numbers of the own current site, and no parameter names another.
 */
function siteFor(actor: Actor, wanted: string | undefined): string | null {
  if (readsAll(actor, 'Recruitment')) return null;
  const { location } = actor;
  if (!location || !actor.ability.can('read', asSubject('Recruitment', { location })))
    throw problem('FORBIDDEN');
  if (wanted !== undefined && wanted !== String(location)) throw problem('FORBIDDEN');
  return String(location);
}

const siteAsked = (actor: Actor, wanted: string | undefined): string | null =>
  siteFor(actor, wanted) ?? wanted ?? null;

const contextOf = ({ now, actor }: { now: Date; actor: Actor }): QueryContext => ({ now, zone: actor.zone });
const idOf = ({ user }: Actor) => user._id.toHexString();

export const recruitmentRoutes = routeGroup({ tag: 'Recruitment', isLong: true }, [
  route({
    method: 'get',
    path: '/api/recruitment/summary',
    summary: 'How recruitment goes: interviews, waves, chains, coupons, seeds, alerts',
    description:
      'A coupon is live until it comes back, is declared void or expires. A seed is productive while a coupon of its chain is live. Days and windows go by when an interview was held (its `startedAt`), however late it arrived; one whose clock was odd (CLOCK_ODD) goes by its arrival. `location`, `from` and `to` narrow the interviews counted: totals, days, waves, chains, recruits each; coupons, seeds and alerts are always those of the whole study, now. Deleted interviews are not counted, though the coupons that they handed out stay good. Who may read the own site alone is told of its interviews, its coupons and its alerts; what crosses sites (chains, seeds, coupons of the whole study) is left out.',
    query: SummaryQuery,
    reply: { 200: Summary },
    handle: async (call) =>
      await summaryOf(
        contextOf(call),
        call.query,
        siteFor(call.actor, call.query.location),
        idOf(call.actor),
      ),
  }),
  route({
    method: 'get',
    path: '/api/recruitment/pace',
    summary: 'Where the study stands against its target and its end date, with a forecast',
    description:
      "Interviews that count, by the day on which they were held. The forecast takes the daily counts of the last 7, 14, 21 or 28 whole days (the most whole weeks since the first interview) as over-dispersed Poisson counts with mean m and dispersion f = max(1, variance / m): in k days from today on, today included, it expects m k interviews, with bounds of 80 % at t sqrt(f m (k + k^2 / n)), where n is the number of those days and t the 90th percentile of Student's t with n - 1 degrees; never fewer than there are.",
    query: PaceQuery,
    reply: { 200: Pace },
    handle: async (call) =>
      await paceOf(contextOf(call), siteAsked(call.actor, call.query.location), idOf(call.actor)),
  }),
  route({
    method: 'get',
    path: '/api/recruitment/sites',
    summary: 'A row for each site, those that fall behind first',
    query: RankedQuery,
    reply: { 200: SiteProgress },
    handle: async (call) => {
      const site = siteAsked(call.actor, call.query.location);
      const alone = !readsAll(call.actor, 'Recruitment');
      return await sitesOf(contextOf(call), call.query, { site, alone }, idOf(call.actor));
    },
  }),
  route({
    method: 'get',
    path: '/api/recruitment/interviewers',
    memory: 2,
    summary: 'A row for each person who interviewed, those with most interviews first',
    query: RankedQuery,
    reply: { 200: InterviewerProgress },
    handle: async (call) =>
      await interviewersOf(
        call.actor,
        contextOf(call),
        call.query,
        siteAsked(call.actor, call.query.location),
      ),
  }),
  route({
    method: 'get',
    path: '/api/recruitment/chains',
    memory: 4,
    summary: 'How the chains of some seeds stand',
    description: 'As in the summary, which tells of the largest chains alone.',
    query: ChainsQuery,
    reply: { 200: Chains },
    handle: async ({ actor, query, now }) => {
      mayReadRecruitment(actor);
      return { data: await ask(chainsFigure, { seeds: query.seed, now }, idOf(actor)) };
    },
  }),
  route({
    method: 'get',
    path: '/api/recruitment/tree',
    memory: 8,
    summary: 'The recruitment tree of one seed',
    description:
      'Breadth first, so that a recruiter stands before its recruits; at most 5,000. Deleted ones are in it, without an answer. `question` names a choice question of the active questionnaire.',
    query: TreeQuery,
    reply: { 200: Tree },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, query }) => {
      mayReadRecruitment(actor);
      return largeReply(await treeOf(actor, new mongoose.Types.ObjectId(query.seed), query));
    },
  }),
]);
