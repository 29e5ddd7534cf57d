import { setImmediate as turn } from 'node:timers/promises';
import { inTransaction } from '../../platform/db/transaction.ts';
import { readSerializedPage } from '../../platform/http/lists/serialized-page.ts';
import { serializerForSchema } from '../../platform/http/lists/stored-fields.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import {
  acceptedReply,
  defineRoute,
  largeReply,
  noContentReply,
  routeGroup,
} from '../../platform/http/route.ts';
import { parseId } from '../../platform/rights/guard.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { requireRightToNarrowSample, smallestCellFor } from '../sample/right.ts';
import { cancelRun } from './cancel.ts';
import { completeRunRequest, insertRun } from './create.ts';
import { wakeRunJobs } from './jobs.ts';
import { AnalysisRunModel, type AnalysisRunRecord } from './model.ts';
import { runForReader } from './read.ts';
import { AnalysisRun, AnalysisRunCreate, RunList, RunQuery } from './schema.ts';

const fields = serializerForSchema(AnalysisRun);
/** For one page of the list: hiding figures takes work for every run. */
const LIST_BYTES = 256 * 1024;

async function requireRun(id: string): Promise<AnalysisRunRecord> {
  const run = await AnalysisRunModel.findById(parseId(id)).lean<AnalysisRunRecord>();
  if (!run) throw problem('NOT_FOUND');
  return run;
}

export const runRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'post',
    path: '/api/analysis/runs',
    summary: 'Request confidence intervals',
    description:
      'They are calculated in the background, from the data at the time when the calculation begins: poll the run until its `state` is DONE. The same request with the same `randomSeed` and the same data (`dataHash`) gives the same numbers. Each person can have five runs waiting or running. Finished runs are kept for 90 days, at most 500; a run that a count is based on is kept as long as the count.',
    body: AnalysisRunCreate,
    example: { outcome: 'veteran', method: 'TREE' },
    reply: { 202: AnalysisRun },
    handle: async ({ actor, body, now }) => {
      requireRightToNarrowSample(actor, body);
      const request = await completeRunRequest(body, actor.zone);
      const asker = { by: actor.user._id, now };
      const run = await inTransaction(async (session) => await insertRun(session, request, asker));
      wakeRunJobs();
      return acceptedReply(run, `/api/analysis/runs/${run._id}`);
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/runs',
    memory: 'page',
    summary: 'List runs',
    query: RunQuery,
    reply: { 200: RunList },
    handle: async ({ actor, query }) => {
      const { state, outcome } = query;
      const filter = { ...(state ? { state } : {}), ...(outcome ? { 'request.outcome': outcome } : {}) };
      const smallest = smallestCellFor(actor, (await loadStudy()).smallestCell);
      // Results may be large, so they are read one by one and written in pieces.
      const complete = async (run: AnalysisRunRecord) => {
        const whole = run.result && (await AnalysisRunModel.findById(run._id).lean<AnalysisRunRecord>());
        await turn();
        return whole ? runForReader(whole, smallest) : { ...run, result: null };
      };
      const projection = { 'result.outcomes': 0 } as const;
      return await readSerializedPage(AnalysisRunModel, filter, query, {
        fields,
        projection,
        complete,
        maxBytes: LIST_BYTES,
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/analysis/runs/:id',
    memory: 'large',
    summary: 'Get the progress and the result of a run',
    reply: { 200: AnalysisRun },
    handle: async ({ actor, id }) => {
      const run = await requireRun(id);
      return largeReply(runForReader(run, smallestCellFor(actor, (await loadStudy()).smallestCell)));
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/analysis/runs/:id',
    summary: 'Cancel a waiting or running run',
    description:
      'Only by its creator or a SUPER_ADMIN. The result is never shown. Cancelling again does nothing.',
    reply: { 204: null },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, id, now }) => {
      const run = await requireRun(id);
      const isOwn = run.createdBy?.equals(actor.user._id) ?? false;
      if (!isOwn && actor.user.role !== 'SUPER_ADMIN') throw problem('FORBIDDEN');
      await cancelRun(run, now);
      return noContentReply();
    },
  }),
]);
