/** What was paid, by site, person, day and method, and what is due, as far as the caller may read incentives. */

import type { mongo } from 'mongoose';
import { dateFilter } from '../../platform/http/lists/date-range.ts';
import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { visibleFilter } from '../../platform/rights/guard.ts';
import { incentiveCurrency } from '../../study/settings/incentives.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { IncentiveModel } from '../incentives/model.ts';
import type { IncentiveState, IncentiveSummaryQuery } from '../incentives/schema.ts';
import {
  amountTotalsPipeline,
  decimalAmount,
  QUARTER_HOUR_OF_PAYMENT,
  type TotalsGroup,
} from '../incentives/totals.ts';
import { readsAllIncentives } from './right.ts';

function sumByDay(quarters: TotalsGroup[], zone: string): TotalsGroup[] {
  const days = new Map<string, TotalsGroup>();
  for (const { _id, count, sum } of quarters) {
    const day = isoDateAt(_id as Date, zone);
    const before = days.get(day) ?? { _id: day, count: 0, sum: 0 };
    days.set(day, { _id: day, count: before.count + count, sum: before.sum + sum });
  }
  return [...days.values()];
}

export async function incentiveSummary(actor: Actor, query: IncentiveSummaryQuery) {
  const { location, paidBy } = query;
  const filter = {
    state: 'PAID',
    ...idFilter({ location, paidBy }),
    ...dateFilter('paidAt', query, actor.zone),
  };
  const match = visibleFilter(actor, ['read'], IncentiveModel, filter) as mongo.Document;
  const facets = {
    paid: amountTotalsPipeline(null),
    byLocation: amountTotalsPipeline('$location'),
    byPerson: amountTotalsPipeline('$paidBy'),
    byDay: amountTotalsPipeline(QUARTER_HOUR_OF_PAYMENT),
    byMethod: amountTotalsPipeline('$method'),
  };
  const [study, [facetGroups], notPaid] = await Promise.all([
    loadStudy(),
    IncentiveModel.collection
      .aggregate<Record<keyof typeof facets, TotalsGroup[]>>([{ $match: match }, { $facet: facets }])
      .toArray(),
    readsAllIncentives(actor) ? countNotPaid(location) : null,
  ]);
  const currency = incentiveCurrency(study);
  const total = (group: Omit<TotalsGroup, '_id'> = { count: 0, sum: 0 }) => ({
    count: group.count,
    total: decimalAmount(group.sum, currency),
  });
  const by = (name: string, groups: TotalsGroup[] = []) =>
    groups.map((group) => ({ [name]: group._id, ...total(group) }));
  const ofState = (state: IncentiveState) => notPaid && total(notPaid.find(({ _id }) => _id === state));
  return {
    currency,
    due: ofState('DUE'),
    paid: total(facetGroups?.paid[0]),
    withdrawn: ofState('WITHDRAWN'),
    byLocation: by('location', facetGroups?.byLocation),
    byPerson: by('paidBy', facetGroups?.byPerson),
    byDay: by('day', sumByDay(facetGroups?.byDay ?? [], actor.zone)),
    byMethod: by('method', facetGroups?.byMethod),
  };
}

/** By the survey's site, because unpaid incentives have no other one. */
async function countNotPaid(site: string | undefined): Promise<TotalsGroup[]> {
  const match = { state: { $in: ['DUE', 'WITHDRAWN'] }, ...idFilter({ site }) };
  return await IncentiveModel.collection
    .aggregate<TotalsGroup>([{ $match: match }, ...amountTotalsPipeline('$state')])
    .toArray();
}
