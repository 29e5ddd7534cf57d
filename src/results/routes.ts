import { route, routeGroup } from '../http/route.ts';
import { mayNarrow } from '../sample/right.ts';
import { answersFor } from './answers.ts';
import { compared } from './compare.ts';
import { estimatesFor } from './estimates.ts';
import { reportFor } from './report.ts';
import {
  Answers,
  AnswersQuery,
  CompareQuery,
  Comparison,
  Estimates,
  EstimatesQuery,
  Report,
} from './schema.ts';

export const resultRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  route({
    method: 'get',
    path: '/api/analysis/estimates',
    memory: 4,
    summary: 'What is estimated of one outcome, now',
    description:
      'Unweighted, RDS-I (Salganik and Heckathorn), RDS-II (Volz and Heckathorn), successive sampling (Gile) and RDS-II with network sizes trimmed, of the interviews that count, as they were at `asOf`. A network size that is missing or 0 counts as the largest. A figure without a value is null, and `notes` says why. To all but a SUPER_ADMIN levels with few answers have no figures (`smallestCell` of the study). The same data and query give the same answer.',
    query: EstimatesQuery,
    reply: { 200: Estimates },
    handle: async ({ actor, query, now }) => {
      mayNarrow(actor, query);
      return await estimatesFor(actor, query, now);
    },
  }),
  route({
    method: 'get',
    path: '/api/analysis/compare',
    memory: 8,
    summary: 'One outcome in each group of another',
    description:
      'Weights are those of the whole sample. To all but a SUPER_ADMIN small cells have no figures, nor have so many others, by rows and by columns, that none is found by subtraction; the same ones whichever of the two is asked by the other.',
    query: CompareQuery,
    reply: { 200: Comparison },
    handle: async ({ actor, query, now }) => {
      mayNarrow(actor, query);
      return await compared(actor, query, now);
    },
  }),
  route({
    method: 'get',
    path: '/api/analysis/answers',
    memory: 4,
    summary: 'How often which answer was given, question by question',
    description:
      'Unweighted counts and shares of the interviews that count, with the estimate by RDS-II beside them. Of a question with several choices each choice is a level: its share is of all who answered the question. To all but a SUPER_ADMIN levels with few answers have no figures (`smallestCell` of the study).',
    query: AnswersQuery,
    reply: { 200: Answers },
    handle: async ({ actor, query, now }) => {
      mayNarrow(actor, query);
      return await answersFor(actor, query, now);
    },
  }),
  route({
    method: 'get',
    path: '/api/analysis/report',
    memory: 4,
    summary: 'The figures that a report of the study tells',
    description:
      'By the checklist for studies of this kind (STROBE-RDS, 2015), in English. What the service cannot know is null, with the reason.',
    reply: { 200: Report },
    handle: async ({ actor, now }) => await reportFor(actor, now),
  }),
]);
