import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { findRecord } from '../../platform/rights/guard.ts';
import { PopulationCountModel } from '../counts/model.ts';
import { requireRightToNarrowSample } from '../sample/right.ts';
import { outcomeChangeBetweenRounds } from './change.ts';
import { changeBetweenCounts } from './count-change.ts';
import { CountComparison, CountComparisonQuery, OutcomeChangeQuery, OutcomeComparison } from './schema.ts';

export const outcomeChangeRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'get',
    path: '/api/analysis/change',
    memory: 'small',
    summary: 'Get the change of an outcome between two rounds',
    description:
      'The difference of RDS-II, with the interval of the difference over the replicates of both rounds: their samples are independent. Two intervals that overlap are no test of a change. A round with itself is 400. `comparability` lists what differed between the rounds; `standardised` gives both rounds the same share of each site. Except for a SUPER_ADMIN, a level that few people gave in one of the rounds is hidden.',
    query: OutcomeChangeQuery,
    reply: { 200: OutcomeComparison },
    handle: async ({ actor, query, now }) => await outcomeChangeBetweenRounds(actor, query, now),
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/counts/:id/change',
    memory: 'small',
    summary: 'Get the change between two population counts',
    description:
      'From this count to the one of another round: both totals, their difference and ratio, with intervals over the replicates of both samples. Two counts of the same round, or not of the same site, are 400.',
    query: CountComparisonQuery,
    reply: { 200: CountComparison },
    handle: async ({ actor, id, query, now }) => {
      const [from, to] = [
        await findRecord(PopulationCountModel, id),
        await findRecord(PopulationCountModel, query.with),
      ];
      for (const one of [from, to]) requireRightToNarrowSample(actor, one);
      return await changeBetweenCounts(from, to, actor, now);
    },
  }),
]);
