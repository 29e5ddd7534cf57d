/** Lists of incentives. */

import { dateFilter } from '../http/date-range.ts';
import { idFilter } from '../http/id-filter.ts';
import { page } from '../http/page.ts';
import { Incentives } from '../incentives/model.ts';
import type { IncentiveQuery } from '../incentives/schema.ts';
import type { Actor } from '../rights/actor.ts';
import { visible } from '../rights/guard.ts';
import { type SurveyRecord, Surveys } from '../surveys/model.ts';
import { hideInterviews, mayUpdate } from './right.ts';

export async function listIncentives(actor: Actor, query: IncentiveQuery) {
  const { survey, state, kind, location, paidBy } = query;
  const filter = {
    ...idFilter({ survey, location, paidBy }),
    ...(state ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...dateFilter('paidAt', query, actor.zone),
  };
  const isOwn = survey !== undefined && (await mayUpdateSurvey(actor, survey));
  const found = await page(Incentives, isOwn ? filter : visible(actor, ['read'], Incentives, filter), query);
  return { ...found, data: await hideInterviews(actor, found.data) };
}

/** Who may update the survey sees all that its person is owed. */
async function mayUpdateSurvey(actor: Actor, id: string): Promise<boolean> {
  const found = await Surveys.findById(id, { responses: 0 }).lean<SurveyRecord>();
  return found !== null && mayUpdate(actor, found);
}
