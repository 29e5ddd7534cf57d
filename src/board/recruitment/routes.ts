import mongoose, { type Types } from 'mongoose';
import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, largeReply, routeGroup } from '../../platform/http/route.ts';
import { asSubject } from '../../platform/rights/ability.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { readsAll, requireReadsAll } from '../../platform/rights/guard.ts';
import { queryStudyTable } from '../../statistics/study-table/ask.ts';
import { requestedRound } from '../../study/rounds/requested.ts';
import { seedChainsFromStudyTable } from './chains/chains.ts';
import { forestFromStudyTable } from './chains/forest.ts';
import { readSeedTree } from './chains/tree.ts';
import { hideChainCodes, hideSummaryCodes } from './hide-codes.ts';
import { listInterviewerProgress } from './interviewers.ts';
import { paceOf } from './pace/pace.ts';
import {
  InterviewerProgressList,
  Pace,
  PaceQuery,
  ProgressListQuery,
  SiteProgressList,
} from './pace/pace-schema.ts';
import {
  Chains,
  ChainsQuery,
  ChainTree,
  Forest,
  ForestQuery,
  RecruitmentSummary,
  RecruitmentSummaryQuery,
  TreeQuery,
} from './schema.ts';
import { siteProgressPage } from './sites.ts';
import { loadBoardSummary } from './summary.ts';
import { SitesForecast } from './tomorrow/schema.ts';
import { comingDaysForecast } from './tomorrow/tomorrow.ts';
import type { RecruitmentQueryContext } from './window.ts';

declare module '../../platform/rights/ability.ts' {
  interface RecordsBySubject {
    /**
     * Aggregates over surveys that reveal nothing about a single one: of one site, or of all if there is no location.
     */
    Recruitment: { _id: Types.ObjectId; location: Types.ObjectId | null };
  }
}

/** Required because chains and trees cross sites. */
const requireRecruitment = (actor: Actor): void => requireReadsAll(actor, 'Recruitment');

/**
 * The site that the reply is restricted to, or null. Recruitment is a right of its own, since only super-admins may
 * read all surveys. A caller with a condition on it gets the numbers of their current site, and can't request another.
 */
function siteFor(actor: Actor, requestedSite: string | undefined): string | null {
  if (readsAll(actor, 'Recruitment')) return null;
  const { location } = actor;
  if (!location || !actor.ability.can('read', asSubject('Recruitment', { location })))
    throw problem('FORBIDDEN');
  if (requestedSite !== undefined && requestedSite !== String(location)) throw problem('FORBIDDEN');
  return String(location);
}

const siteToShow = (actor: Actor, requestedSite: string | undefined): string | null =>
  siteFor(actor, requestedSite) ?? requestedSite ?? null;

interface Call {
  now: Date;
  actor: Actor;
  query: { round?: string | undefined };
}

const contextOf = async ({ now, actor, query }: Call): Promise<RecruitmentQueryContext> => {
  const { ref } = await requestedRound(query.round);
  return { now, zone: actor.zone, round: ref };
};
const idOf = ({ user }: Actor) => user._id.toHexString();

export const recruitmentRoutes = routeGroup({ tag: 'Recruitment', isLong: true }, [
  defineRoute({
    method: 'get',
    path: '/api/recruitment/summary',
    summary: 'Get a summary of recruitment: interviews, waves, chains, coupons, seeds, alerts',
    description:
      'A coupon is live until it comes back, is voided or expires. A seed is productive while a coupon of its chain is live. Days and windows use the interview date (`startedAt`), however late the interview was received; if its clock was wrong (CLOCK_ODD), they use when it was received. `location`, `from` and `to` select the interviews for totals, days, waves, chains and recruits per interview; coupons, seeds and alerts are always for the whole study, now. Deleted interviews are not counted, but coupons they handed out stay valid. A caller who may only read their own site gets its interviews, coupons and alerts, and nothing that spans sites (chains, seeds, coupons of the whole study).',
    query: RecruitmentSummaryQuery,
    reply: { 200: RecruitmentSummary },
    handle: async (call) => {
      const site = siteFor(call.actor, call.query.location);
      const summary = await loadBoardSummary(await contextOf(call), call.query, site, idOf(call.actor));
      return await hideSummaryCodes(call.actor, summary);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/pace',
    summary: 'Get progress towards the target and end date, with a forecast',
    description:
      "Counted interviews, by interview date. The forecast treats the daily counts of the last 7, 14, 21 or 28 whole days (as many whole weeks as there are since the first interview) as over-dispersed Poisson counts with mean m and dispersion f = max(1, variance / m). In the next k days, including today, it expects m k interviews, with 80 % bounds at t sqrt(f m (k + k^2 / n)), where n is the number of those days and t the 90th percentile of Student's t with n - 1 degrees of freedom; never fewer than there are.",
    query: PaceQuery,
    reply: { 200: Pace },
    handle: async (call) =>
      await paceOf(await contextOf(call), siteToShow(call.actor, call.query.location), idOf(call.actor)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/forecast',
    memory: 'small',
    summary: 'Forecast how many people come in the next seven days',
    description:
      "Of a round that is open: live coupons by how long they have been out, times the study's own return curve (Kaplan-Meier, coupons that are not back as censored) and the weekdays of the last four weeks, plus walk-ins at their pace. With `location` the coupons, weekdays and walk-ins are the site's, the curve is the study's. 80 % bounds from 1,000 simulations.",
    query: PaceQuery,
    reply: { 200: SitesForecast },
    handle: async (call) =>
      await comingDaysForecast(
        await contextOf(call),
        siteToShow(call.actor, call.query.location),
        idOf(call.actor),
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/sites',
    summary: 'List the sites, those falling behind first',
    query: ProgressListQuery,
    reply: { 200: SiteProgressList },
    handle: async (call) => {
      const site = siteToShow(call.actor, call.query.location);
      const isOnlySite = !readsAll(call.actor, 'Recruitment');
      return await siteProgressPage(
        await contextOf(call),
        call.query,
        { site, isOnlySite },
        idOf(call.actor),
      );
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/interviewers',
    memory: 'small',
    summary: 'List the interviewers, those with most interviews first',
    query: ProgressListQuery,
    reply: { 200: InterviewerProgressList },
    handle: async (call) =>
      await listInterviewerProgress(
        call.actor,
        await contextOf(call),
        call.query,
        siteToShow(call.actor, call.query.location),
      ),
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/chains',
    memory: 'small',
    summary: 'Get the chains of certain seeds',
    description: 'As in the summary, which has only the largest chains.',
    query: ChainsQuery,
    reply: { 200: Chains },
    handle: async (call) => {
      const { actor, query } = call;
      requireRecruitment(actor);
      const context = await contextOf(call);
      return {
        data: await queryStudyTable(seedChainsFromStudyTable, { ...context, seeds: query.seed }, idOf(actor)),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/forest',
    memory: 'small',
    summary: 'Get the shapes of all chains',
    description: 'To show the chains of all seeds side by side. Figures are as in the summary.',
    query: ForestQuery,
    reply: { 200: Forest },
    handle: async (call) => {
      const { actor } = call;
      requireRecruitment(actor);
      const { chains, chainsTotal } = await queryStudyTable(
        forestFromStudyTable,
        await contextOf(call),
        idOf(actor),
      );
      return { chains: await hideChainCodes(actor, chains), chainsTotal };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/recruitment/tree',
    memory: 'large',
    summary: 'Get the recruitment tree of one seed',
    description:
      'Breadth first, so that recruiters come before their recruits; at most 5,000. Deleted interviews are included, without an answer. `question` names a choice question of the active questionnaire.',
    query: TreeQuery,
    reply: { 200: ChainTree },
    problems: ['NOT_FOUND'],
    handle: async ({ actor, query, deps }) => {
      requireRecruitment(actor);
      return largeReply(await readSeedTree(actor, new mongoose.Types.ObjectId(query.seed), query, deps.log));
    },
  }),
]);
