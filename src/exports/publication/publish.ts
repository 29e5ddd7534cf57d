/** The files of a publication, each as soon as it is calculated; the files that readers open first come last. */
import { estimatesForReader } from '../../statistics/results/estimates.ts';
import { strobeReportOfRound } from '../../statistics/results/report/report.ts';
import type { ResultsReader } from '../../statistics/sample/right.ts';
import type { RequestedRound } from '../../study/rounds/requested.ts';
import { changesFromPreviousRound } from './changes.ts';
import type { PublishedOutcome, PublishedPopulationCount } from './facts.ts';
import {
  filesOfOutcome,
  type PublishedFile,
  publicationOverviewFiles,
  publishedFilesOfCount,
  STYLE_FILE,
} from './files.ts';
import {
  gatherPublishedCount,
  generalItemsOfReport,
  loadCountsOfRound,
  loadPublicationHead,
  outcomesToPublish,
  preparePublishedOutcome,
} from './gather.ts';

/** Threads for estimates: while one outcome waits for its change, the next one is estimated. */
const MAX_CONCURRENT = 2;

/** Ends early if the signal aborts, because nobody is waiting anymore. */
export async function* publicationFiles(
  requested: RequestedRound,
  zone: string,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<PublishedFile> {
  yield STYLE_FILE;
  const round = requested.ref.id;
  const reader: ResultsReader = { user: { role: 'ADMIN' }, zone, memo: new Map() };
  const changes = await changesFromPreviousRound(requested, reader, now);
  const [records, report] = [
    await loadCountsOfRound(requested),
    await strobeReportOfRound(reader, round, now),
  ];
  const offered = await outcomesToPublish(reader, round, records.length > 0);
  const [first] = offered;
  const sample = first && (await estimatesForReader(reader, { outcome: first.name, round }, now)).sample;
  const head = await loadPublicationHead(requested, { report, sample, zone, now });
  const counts: PublishedPopulationCount[] = [];
  for (const [at, record] of records.entries()) {
    signal.throwIfAborted();
    const count = await gatherPublishedCount(record, at, { reader, now, changes });
    counts.push(count);
    yield* publishedFilesOfCount(head, count);
  }
  const outcomes: PublishedOutcome[] = [];
  const estimatedOutcomes = withLookahead(offered, async (one) => {
    signal.throwIfAborted();
    return await preparePublishedOutcome(one, { reader, now, changes, round });
  });
  for await (const one of estimatedOutcomes) {
    if (!one) continue;
    const outcome = one(outcomes.length);
    outcomes.push(outcome);
    yield* filesOfOutcome(head, outcome);
  }
  yield* publicationOverviewFiles({ ...head, outcomes, counts, report: generalItemsOfReport(report) });
}

/** Results in the order of `items`, while the next items are already in progress. */
async function* withLookahead<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  const waiting = [...items];
  for (;;) {
    while (running.length < MAX_CONCURRENT && waiting.length > 0) {
      const next = work(waiting.shift() as Item);
      // Awaited later, in order.
      next.catch(() => {});
      running.push(next);
    }
    const oldest = running.shift();
    if (!oldest) return;
    yield await oldest;
  }
}
