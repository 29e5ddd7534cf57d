/** A round's results as a folder of static files. */
import mongoose from 'mongoose';
import { z } from 'zod';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { streamTo } from '../../platform/http/bodies/backpressure.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, routeGroup, streamedFile } from '../../platform/http/route.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { RoundParam } from '../../statistics/sample/schema.ts';
import { type RequestedRound, requestedRound } from '../../study/rounds/requested.ts';
import { writeZip } from '../bundle.ts';
import { MAX_PUBLISHED_COUNTS } from './gather.ts';
import { publicationFiles } from './publish.ts';
import { SharedDownload } from './shared-stream.ts';

const FILE = 'publication.zip';

/** The publication being created; it uses both processors for some seconds. */
let currentPublication: { key: string; stream: SharedDownload } | null = null;

/** Concurrent requests for the same publication share its bytes; 503 while another round's is being created. */
function publicationOf(requested: RequestedRound, zone: string, now: Date): SharedDownload {
  const key = JSON.stringify([requested.ref.id, zone]);
  if (currentPublication && currentPublication.key !== key)
    throw problem('UNAVAILABLE', {
      message: 'The publication of another round is being created. Try again in a minute.',
      headers: { 'Retry-After': '60' },
    });
  if (currentPublication) return currentPublication.stream;
  const stream = new SharedDownload(
    async (give, signal) =>
      await writeZip(entriesOf(publicationFiles(requested, zone, now, signal)), now, give),
    () => {
      if (currentPublication?.stream === stream) currentPublication = null;
    },
  );
  currentPublication = { key, stream };
  return stream;
}

async function* entriesOf(files: ReturnType<typeof publicationFiles>) {
  for await (const { name, text } of files) yield { name, pieces: () => [text] };
}

async function recordDownload({ by, now }: Author): Promise<void> {
  const record = new mongoose.Types.ObjectId();
  const changes = [{ path: 'file', before: null, after: FILE }];
  await inTransaction((session) =>
    audit(session, { by, now }, { action: 'download', subject: 'Export', record, changes }),
  );
}

export const publicationRoutes = routeGroup({ tag: 'Analysis', access: 'results', isLong: true }, [
  defineRoute({
    method: 'get',
    path: '/api/analysis/publication',
    memory: 'large',
    summary: 'Download the results as static files for a website',
    description: `A ZIP with a page for each outcome and each of the latest ${MAX_PUBLISHED_COUNTS} population counts, tables as CSV, figures as SVG, the STROBE-RDS items, the codebook as DDI-Codebook 2.5 and a README with methods. It is sent while it is created: if the connection breaks off, the file is incomplete and does not open. One is created at a time, and 503 says that it is another round's. Small cells are hidden as for an ADMIN. Answers and weights of persons are only in bundle.zip. Only for a SUPER_ADMIN (403). The history records each download.`,
    query: z.strictObject({ round: RoundParam }),
    reply: { 200: 'application/zip' },
    handle: async ({ actor, query, now }) => {
      if (actor.user.role !== 'SUPER_ADMIN') throw problem('FORBIDDEN');
      const requested = await requestedRound(query.round);
      return streamedFile(FILE, (out) =>
        streamTo(out, async (give, signal) => {
          const stream = publicationOf(requested, actor.zone, now);
          await recordDownload({ by: actor.user._id, now });
          for await (const piece of stream.read(signal)) await give(piece);
        }),
      );
    },
  }),
]);
