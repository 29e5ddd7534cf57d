/**
 * What the board and the pages of results show first, counted before anybody looks: of many interviews it takes seconds.
 * What was counted lately is left as it is (recruitment/last-answers.ts).
 */
import mongoose from 'mongoose';
import { heldNow } from '../recruitment/held.ts';
import { interviewerRows } from '../recruitment/interviewers.ts';
import { summaryOf } from '../recruitment/summary.ts';
import { outcomesFor } from '../sample/offer.ts';
import type { Reader } from '../sample/right.ts';
import { Surveys } from '../surveys/model.ts';
import { answersFor } from './answers.ts';
import { compared } from './compare.ts';
import { estimatesFor } from './estimates.ts';
import { firstGroups, firstOutcome, QUESTIONS_AT_ONCE, questionsInOrder } from './first-shown.ts';
import { reportFor } from './report.ts';

/**
 * Fewer are counted while the page is being drawn. With more, the service would be slow for minutes and hold over a
 * gigabyte (of a million: four minutes, 1.5 GB), after each start and each night, whether or not anybody looks.
 */
const WORTH_SURVEYS = { least: 5_000, most: 250_000 };
/** Seconds: newer ones need not be counted again. */
const LATELY = 12 * 3_600;

/** One after the other; rejects before the next one once `signal` is given. */
export async function countAhead(zone: string, signal: AbortSignal, worth = WORTH_SURVEYS): Promise<void> {
  const surveys = await Surveys.estimatedDocumentCount();
  if (surveys < worth.least || surveys > worth.most) return;
  const maxAge = LATELY;
  const at = () => ({ now: new Date(), zone, store: mongoose.connection.name });
  const counts = [
    async () => await heldNow(at(), maxAge),
    async () => await summaryOf({ ...at(), query: { maxAge }, site: null }),
    async () => await interviewerRows(at(), null, maxAge),
    // Not to all the same: who is no super-admin sees no small cells.
    ...(['SUPER_ADMIN', 'ADMIN'] as const).map(
      (role) => async () => await ofResults({ user: { role }, zone }, signal),
    ),
    async () => await reportFor({ user: { role: 'SUPER_ADMIN' }, zone }, { maxAge }, new Date()),
  ];
  for (const count of counts) {
    signal.throwIfAborted();
    await count();
  }
}

async function ofResults(reader: Reader, signal: AbortSignal): Promise<void> {
  const maxAge = LATELY;
  const offered = await outcomesFor(reader, { counted: 'false' }, new Date());
  const outcome = firstOutcome(offered);
  if (outcome === null) return;
  await estimatesFor(reader, { outcome, maxAge }, new Date());
  signal.throwIfAborted();
  const by = firstGroups(offered, outcome);
  if (by !== null) await compared(reader, { outcome, by, maxAge }, new Date());
  signal.throwIfAborted();
  const question = questionsInOrder(offered).slice(0, QUESTIONS_AT_ONCE);
  await answersFor(reader, { question, maxAge }, new Date());
  signal.throwIfAborted();
  await outcomesFor(reader, { maxAge }, new Date());
}
