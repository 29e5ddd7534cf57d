/** Lists of incentives. */

import { dateFilter } from '../../platform/http/lists/date-range.ts';
import { idFilter } from '../../platform/http/lists/id-filter.ts';
import { loadRecordPage } from '../../platform/http/lists/page.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { visibleFilter } from '../../platform/rights/guard.ts';
import { IncentiveModel } from '../incentives/model.ts';
import type { IncentiveQuery } from '../incentives/schema.ts';
import { SurveyModel, type SurveyRecord } from '../surveys/model.ts';
import { mayKnowInterviewOfIncentive, mayUpdateSurvey } from './right.ts';
import { incentiveSearchFilter } from './search-filter.ts';
import { showIncentives } from './show.ts';

export async function listIncentives(actor: Actor, query: IncentiveQuery) {
  const { survey, state, kind, location, round, paidBy, search } = query;
  const filter = {
    ...idFilter({ survey, location, round, paidBy }),
    ...(state ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...dateFilter('paidAt', query, actor.zone),
    ...(await incentiveSearchFilter(actor, search)),
  };
  const incentives = await loadRecordPage(IncentiveModel, await permitted(actor, filter, survey), query);
  return { ...incentives, data: await showIncentives(actor, incentives.data) };
}

/**
 * Callers who may update the survey see everything its person is owed. Callers who may not know whose incentive it is
 * find none by survey.
 */
async function permitted(actor: Actor, filter: object, id: string | undefined) {
  if (id === undefined) return visibleFilter(actor, ['read'], IncentiveModel, filter);
  const survey = await SurveyModel.findById(id, { responses: 0 }).lean<SurveyRecord>();
  if (survey && mayUpdateSurvey(actor, survey)) return filter;
  const restriction = survey && mayKnowInterviewOfIncentive(actor, survey) ? {} : { _id: { $in: [] } };
  return visibleFilter(actor, ['read'], IncentiveModel, { ...filter, ...restriction });
}
