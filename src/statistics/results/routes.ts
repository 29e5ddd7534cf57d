import { defineRoute, routeGroup } from '../../platform/http/route.ts';
import { requireRightToNarrowSample } from '../sample/right.ts';
import { loadAnswerCounts } from './answers.ts';
import { compareGroups } from './compare/compare.ts';
import { estimatesForReader } from './estimates.ts';
import { strobeReportOfRound } from './report/report.ts';
import {
  AnswerDistributions,
  AnswersQuery,
  Estimates,
  EstimatesQuery,
  GroupComparison,
  GroupComparisonQuery,
  ReportQuery,
  StrobeReport,
} from './schema.ts';

export const resultRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'get',
    path: '/api/analysis/estimates',
    memory: 'small',
    summary: 'Get the estimates of one outcome',
    description:
      'Unweighted, RDS-I (Salganik and Heckathorn), RDS-II (Volz and Heckathorn), successive sampling (Gile) and RDS-II with trimmed network sizes, from the counted interviews as of `asOf`. A network size that is missing or 0 counts as the largest. A figure without a value is null, and `notes` says why. Except for a SUPER_ADMIN, levels with few answers have no figures (see `smallestCell` of the study). The same data and query give the same reply.',
    query: EstimatesQuery,
    reply: { 200: Estimates },
    handle: async ({ actor, query, now }) => {
      requireRightToNarrowSample(actor, query);
      return await estimatesForReader(actor, query, now);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/compare',
    memory: 'large',
    summary: 'Compare one outcome across the groups of another',
    description:
      'Weights are those of the whole sample. Except for a SUPER_ADMIN, small cells have no figures, and as many other cells in rows and columns as needed so that none can be found by subtraction. The same cells are hidden whichever way round the two outcomes are compared.',
    query: GroupComparisonQuery,
    reply: { 200: GroupComparison },
    handle: async ({ actor, query, now }) => {
      requireRightToNarrowSample(actor, query);
      return await compareGroups(actor, query, now);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/answers',
    memory: 'small',
    summary: 'Get how often each answer was given, by question',
    description:
      'Unweighted counts and shares of the counted interviews, with the RDS-II estimate. For a multiple-choice question each choice is a level, with its share of everyone who answered the question. Except for a SUPER_ADMIN, levels with few answers have no figures (see `smallestCell` of the study).',
    query: AnswersQuery,
    reply: { 200: AnswerDistributions },
    handle: async ({ actor, query, now }) => {
      requireRightToNarrowSample(actor, query);
      return await loadAnswerCounts(actor, query, now);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/report',
    memory: 'small',
    summary: 'Get the figures for a report on the study',
    description:
      'Follows the checklist for studies of this kind (STROBE-RDS, 2015), in English. Items that the service can’t know are null, with the reason.',
    query: ReportQuery,
    reply: { 200: StrobeReport },
    handle: async ({ actor, query, now }) => await strobeReportOfRound(actor, query.round, now),
  }),
]);
