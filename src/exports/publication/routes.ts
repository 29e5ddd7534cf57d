/** A round's results as a folder of static files. */
import mongoose from 'mongoose';
import { z } from 'zod';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { streamTo } from '../../platform/http/bodies/backpressure.ts';
import { WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { route, routeGroup, streamedFile } from '../../platform/http/route.ts';
import { Round } from '../../statistics/sample/schema.ts';
import { requestedRound } from '../../study/rounds/requested.ts';
import { writeZip } from '../bundle.ts';
import { publicationFiles } from './files.ts';
import { gatherPublication, MAX_COUNTS } from './gather.ts';

const FILE = 'publication.zip';

const queue = new WorkQueue({
  capacity: 1,
  each: 1,
  mostWaiting: 5,
  mostWaitingEach: 1,
  overloadProblem: 'MAKING_ALREADY',
});

export const publicationRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  route({
    method: 'get',
    path: '/api/analysis/publication',
    memory: 'large',
    summary: 'Download the results as static files for a website',
    description: `A ZIP with a page for each outcome and each of the latest ${MAX_COUNTS} population counts, tables as CSV, figures as SVG, the STROBE-RDS items, the codebook as DDI-Codebook 2.5 and a README with methods. Small cells are hidden as for an ADMIN. Answers and weights of persons are only in bundle.zip. Only for a SUPER_ADMIN (403). The history records each download.`,
    query: z.strictObject({ round: Round }),
    reply: { 200: 'application/zip' },
    handle: async ({ actor, query, now }) => {
      if (actor.user.role !== 'SUPER_ADMIN') throw problem('FORBIDDEN');
      const by = actor.user._id;
      const { id } = (await requestedRound(query.round)).asked;
      return streamedFile(FILE, (out) =>
        streamTo(out, (give, signal) =>
          queue.inTurn(String(by), signal, async () => {
            const files = publicationFiles(await gatherPublication(actor.zone, now, id, signal));
            await inTransaction((session) =>
              audit(
                session,
                { by, now },
                {
                  action: 'download',
                  subject: 'Export',
                  record: new mongoose.Types.ObjectId(),
                  changes: [{ path: 'file', before: null, after: FILE }],
                },
              ),
            );
            await writeZip(
              files.map(({ name, text }) => ({ name, pieces: () => [text] })),
              now,
              give,
            );
          }),
        ),
      );
    },
  }),
]);
