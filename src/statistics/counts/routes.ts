import { loadRecordPage } from '../../platform/http/lists/page.ts';
import { createdReply, defineRoute, noContentReply, routeGroup } from '../../platform/http/route.ts';
import { findRecord } from '../../platform/rights/guard.ts';
import { requireRightToNarrowSample } from '../sample/right.ts';
import { createCount, deleteCount, updateCount } from './change.ts';
import { estimatePopulationCount } from './estimate.ts';
import { PopulationCountModel, toCountReply } from './model.ts';
import {
  CountEstimate,
  CountList,
  CountListQuery,
  CountPatch,
  KnownCount,
  PopulationCountCreate,
} from './schema.ts';
import { loadCountTables } from './tables/count-tables.ts';
import { CountTables } from './tables/schema.ts';

export const populationCountRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'post',
    path: '/api/analysis/counts',
    summary: 'Create a population count',
    description:
      'If you know from another source how many people have a certain answer, the share of that answer in the sample gives the size of the population. This starts a TREE run, which gives the bounds.',
    body: PopulationCountCreate,
    example: {
      name: 'Point in time 2027',
      outcome: 'sleptInShelter',
      value: 'yes',
      known: 412,
      source: 'Shelter list of the night',
      asOf: '2027-01-28',
      definition: 'Adults who slept in the county without a home of their own',
    },
    reply: { 201: KnownCount },
    handle: async ({ actor, body, now }) => {
      const count = await createCount(body, { by: actor.user._id, now, reader: actor });
      return createdReply(toCountReply(count), `/api/analysis/counts/${count._id}`);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/counts',
    memory: 'page',
    summary: 'List population counts',
    query: CountListQuery,
    reply: { 200: CountList },
    handle: async ({ query }) => {
      const counts = await loadRecordPage(PopulationCountModel, { deletedAt: null }, query);
      return { ...counts, data: counts.data.map(toCountReply) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/counts/:id',
    summary: 'Get one population count',
    reply: { 200: KnownCount },
    handle: async ({ id }) => toCountReply(await findRecord(PopulationCountModel, id)),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/analysis/counts/:id',
    summary: 'Change a population count',
    description: 'Starts a new run. The estimate has no bounds until the run is DONE.',
    body: CountPatch,
    example: { known: 430 },
    reply: { 200: KnownCount },
    handle: async ({ actor, id, body, now }) => {
      return toCountReply(await updateCount(id, body, { by: actor.user._id, now, reader: actor }));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/analysis/counts/:id',
    summary: 'Delete a population count (soft)',
    reply: { 204: null },
    handle: async ({ actor, id, now }) => {
      await deleteCount(id, { by: actor.user._id, now });
      return noContentReply();
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/counts/:id/estimate',
    summary: 'Get the population size that a count gives',
    description:
      'The share is from the current data; the bounds are from the latest CHAIN run, or where TREE comes first from the latest TREE run since the count was last changed. If the high end is over 2.5 times the low end, or a bound is null, there is a note NOT_PRECISE: publish the interval with the figure. If the low end is below the number of counted interviews, there is a note BELOW_SAMPLE. The result is never used as the population size of another estimate.',
    reply: { 200: CountEstimate },
    handle: async ({ actor, id, now }) => {
      const count = await findRecord(PopulationCountModel, id);
      requireRightToNarrowSample(actor, count);
      return await estimatePopulationCount(count, actor, now);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/counts/:id/tables',
    memory: 'small',
    summary: 'Get the persons and households of a count, by cell',
    description:
      'Adults, persons and households by age, gender, race and ethnicity, military service, chronic homelessness and type of household. Children and households are divided by the adults of the household who could have been interviewed. What the questionnaire does not ask is missing, and `notes` says why. Except for a SUPER_ADMIN, cells with few people in the sample are hidden, and tables of one site whole.',
    reply: { 200: CountTables },
    handle: async ({ actor, id, now }) => {
      const count = await findRecord(PopulationCountModel, id);
      requireRightToNarrowSample(actor, count);
      return await loadCountTables(count, actor, now);
    },
  }),
]);
