/** The process that draws coupons (print.ts). Fonts stay open between jobs. */
import { Writable } from 'node:stream';
import { type ReportToPool, serveJobs } from '../../platform/lib/workers/worker.ts';
import { checkCouponSheet } from './check-sheet.ts';
import type { PdfPieceOrCouponCount, PrintProcessJob, PrintReply } from './print.ts';
import { renderCoupons } from './render-coupons.ts';

/** Sends the output in pieces: while a piece is being accepted, further output is collected and sent as one. */
function paper(report: ReportToPool<PdfPieceOrCouponCount>): Writable {
  const send = (bytes: Buffer, callback: () => void) => void report(bytes).then(callback);
  return new Writable({
    highWaterMark: 256 * 1024,
    write: (chunk: Buffer, _encoding, callback) => send(chunk, callback),
    writev: (chunks, callback) => send(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), callback),
  });
}

async function replyTo(
  { what, sheet }: PrintProcessJob,
  report: ReportToPool<PdfPieceOrCouponCount>,
): Promise<PrintReply> {
  if (what === 'examine') return { examination: checkCouponSheet(sheet) };
  await renderCoupons(paper(report), { ...sheet, onProgress: (couponCount) => void report(couponCount) });
  return 'printed';
}

serveJobs<PrintProcessJob, PrintReply, PdfPieceOrCouponCount>(async (job, report) => {
  try {
    return await replyTo(job, report);
  } catch (error) {
    // The sheet itself can't be printed.
    if (error instanceof RangeError) return { refused: error.message };
    throw error;
  }
});
