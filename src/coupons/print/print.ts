/**
 * Prints in separate processes, because drawing a sheet may take a second, during which the service couldn't reply to
 * anyone. Few run at once, each with little memory and its fonts open. Other jobs wait, at most one per person. If the
 * client hangs up or stops reading, drawing stops.
 */
import type { Writable } from 'node:stream';
import { DOWNLOAD_TIMEOUTS, streamTo } from '../../platform/http/bodies/backpressure.ts';
import { type CallerId, WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import type { CouponPrintCheck } from './check-sheet.ts';
import type { CouponSheet } from './coupon-sheet.ts';

type PlainSheet = Omit<CouponSheet, 'onProgress'>;
export type PrintProcessJob = { what: 'examine' | 'print'; sheet: PlainSheet };
/** A piece of the file, or the number of coupons drawn so far. */
export type PdfPieceOrCouponCount = Uint8Array | number;
export type PrintReply = { examination: CouponPrintCheck } | { refused: string } | 'printed';

const PROCESSES = 2;
const queue = new WorkQueue({
  capacity: PROCESSES,
  each: 1,
  maxWaiting: 50,
  maxWaitingEach: 2,
  overloadProblem: 'PRINTING_ALREADY',
});

const pool = new WorkerPool<PrintProcessJob, PrintReply, PdfPieceOrCouponCount>({
  // Not threads, because ending one while it starts to compress would crash the whole service (an assertion in Node's
  // zlib).
  kind: 'process',
  from: import.meta.url,
  name: 'print-worker',
  size: PROCESSES,
  memoryMb: 64,
});

/** What prevents printing this sheet, and what would be left out. */
export async function checkCouponSheet(sheet: PlainSheet, by?: CallerId): Promise<CouponPrintCheck> {
  const reply = await run({ what: 'examine', sheet }, by, async () => {});
  if (typeof reply !== 'object' || !('examination' in reply)) throw new Error('no examination of the sheet');
  return reply.examination;
}

/** Writes the PDF and ends the stream; rejects if the stream fails or the sheet can't be printed as it is. */
export async function writeCouponPdf(
  out: Writable,
  { onProgress, ...sheet }: CouponSheet,
  by?: CallerId,
  patience = DOWNLOAD_TIMEOUTS,
): Promise<void> {
  await streamTo(
    out,
    async (give, signal) => {
      const take = async (progress: PdfPieceOrCouponCount) => {
        if (typeof progress === 'number') onProgress?.(progress);
        else await give(progress);
      };
      await run({ what: 'print', sheet }, by, take, signal);
    },
    patience,
  );
}

async function run(
  job: PrintProcessJob,
  by: CallerId,
  onReport: (progress: PdfPieceOrCouponCount) => Promise<void>,
  signal?: AbortSignal,
): Promise<PrintReply> {
  const reply = await queue.inTurn(by, signal, () => pool.run(job, { signal, onReport }));
  if (typeof reply === 'object' && 'refused' in reply) throw new RangeError(reply.refused);
  return reply;
}
