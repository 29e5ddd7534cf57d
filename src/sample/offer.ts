/** What can be estimated, with how many answered each. */
import mongoose from 'mongoose';
import type { z } from 'zod';
import { byCodePoint, knownRows } from '../analysis/outcome.ts';
import { keepingLastAnswers } from '../recruitment/kept.ts';
import { study } from '../study/model.ts';
import { titlesOf } from './by-site.ts';
import { LOCATION } from './catalogue.ts';
import { type LoadedOutcome, loadSample, type SampleWish } from './load.ts';
import { withSample } from './queue.ts';
import { type Reader, smallestCellFor } from './right.ts';
import type { OutcomeList, OutcomesQuery } from './schema.ts';

type Offered = z.input<typeof OutcomeList>['data'];

const kept = keepingLastAnswers<Offered>('outcomes', 0);

export async function outcomesFor(
  reader: Reader,
  { counted, maxAge, ...window }: z.infer<typeof OutcomesQuery>,
  now: Date,
): Promise<Offered> {
  const { outcomes, smallestCell } = await study();
  const smallest = smallestCellFor(reader, smallestCell);
  const isCounted = counted !== 'false';
  const key = [mongoose.connection.name, reader.zone, window, outcomes, smallest];
  const make = () => offer({ window, zone: reader.zone, now, isCounted, smallest });
  return isCounted ? await kept(key, () => withSample(reader, make), maxAge) : await make();
}

/** Of one site: those of the others too, where it could tell what a few people said that it has nobody of one. */
const levelsOf = (here: LoadedOutcome, elsewhere?: LoadedOutcome) =>
  [...titlesOf(here, here.name === LOCATION.name ? undefined : elsewhere)]
    .sort(([a], [b]) => byCodePoint(a ?? '', b ?? ''))
    .map(([value, title]) => ({ value: value ?? '', title }));

interface Offering extends Pick<SampleWish, 'window' | 'zone' | 'now'> {
  isCounted: boolean;
  /** No level is told that fewer people gave; 0: all are. */
  smallest: number;
}

async function offer({ isCounted, smallest, ...of }: Offering): Promise<Offered> {
  const sample = await loadSample({
    ...of,
    outcomes: 'ALL',
    isEmpty: !isCounted,
    withOtherSites: smallest > 0,
  });
  const { ids, outcomes } = sample;
  // Which answers a handful of people gave is theirs alone.
  const isHidden = !isCounted || ids.length < smallest;
  return outcomes.map((loaded, place) => {
    const { name, title, question, decidesPart, tellsOfAll, outcome, offered, questionnaires } = loaded;
    const known = knownRows(outcome).length;
    const levels = () => (isHidden ? offered : levelsOf(loaded, sample.elsewhere?.outcomes[place]));
    return {
      name,
      title,
      question: question.name,
      decidesPart,
      tellsOfAll,
      kind: outcome.kind,
      levels: outcome.kind === 'CATEGORY' ? levels() : null,
      known: isCounted ? known : null,
      missing: isCounted ? ids.length - known : null,
      questionnaires,
    };
  });
}
