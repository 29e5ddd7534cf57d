import { route, routeGroup } from '../http/route.ts';
import { outcomesFor } from './list-outcomes.ts';
import './outcome-check.ts';
import { mayNarrow } from './right.ts';
import { OutcomeList, OutcomesQuery } from './schema.ts';

export const sampleRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  route({
    method: 'get',
    path: '/api/analysis/outcomes',
    memory: 4,
    summary: 'What can be estimated',
    description:
      'Each question of the active questionnaire that can be counted (one choice and yes or no are a CATEGORY, numbers and ratings a NUMBER), each choice of a question with several (`servicesUsed.food`, with the levels 0 and 1), the site, and what the study works out of answers (`outcomes` of its settings). Free text is none. "Refuse" and "don\'t know" are missing answers. Versions of a questionnaire are joined by the names of their questions.',
    query: OutcomesQuery,
    reply: { 200: OutcomeList },
    handle: async ({ actor, query }) => {
      mayNarrow(actor, query);
      return { data: await outcomesFor(actor, query) };
    },
  }),
]);
