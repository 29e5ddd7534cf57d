import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { listOutcomesForReader } from './list-outcomes.ts';
import { requireRightToNarrowSample } from './right.ts';
import { OutcomeList, OutcomesQuery } from './schema.ts';

export const sampleRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'get',
    path: '/api/analysis/outcomes',
    memory: 'small',
    summary: 'List outcomes that can be estimated',
    description:
      'Each question that can be counted of every questionnaire version that interviews were held with (single choice and yes/no are a CATEGORY, numbers and ratings a NUMBER), each choice of a multiple-choice question (`servicesUsed.food`, with the levels 0 and 1), the site, and the study\'s own outcomes (`outcomes` in its settings), but not free text. A value that the questionnaire calculates is one only if `outcomes` names it. "Refuse" and "don\'t know" count as missing. Questions with the same name in several versions are one outcome; `questionnaires` says which versions ask it, and `missing` leaves out people whose version doesn\'t (`notAsked`).',
    query: OutcomesQuery,
    reply: { 200: OutcomeList },
    handle: async ({ actor, query }) => {
      requireRightToNarrowSample(actor, query);
      return { data: await listOutcomesForReader(actor, query) };
    },
  }),
]);
