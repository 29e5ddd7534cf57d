/** What was answered, question by question: counted as it is, with the estimate beside it. */
import { setImmediate as turn } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { z } from 'zod';
import { cellSizeOf } from '../analysis/cell-size.ts';
import { countsOf, knownRows } from '../analysis/outcome.ts';
import { replacedSizes } from '../analysis/sample.ts';
import { equalWeights, estimate, rds2Weights } from '../analysis/weights.ts';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { keepingLastAnswers } from '../recruitment/kept.ts';
import { hiddenAtSite, type SiteTable, siteTablesOf, titlesOf } from '../sample/by-site.ts';
import { type LoadedOutcome, loadSample, type SampleWish } from '../sample/load.ts';
import { withSample } from '../sample/queue.ts';
import { type Reader, smallestCellFor } from '../sample/right.ts';
import { hiddenAmong } from '../sample/small-cells.ts';
import { study } from '../study/model.ts';
import { type Histogram, histogramOf, shownHistogram } from './histogram.ts';
import type { Answers, AnswersQuery } from './schema.ts';
import { View } from './view.ts';

type Shape = z.input<typeof Answers>;
type Question = Shape['questions'][number];

/** The same for everyone. */
interface Counted {
  asOf: Date;
  n: number;
  outcomes: CountedOutcome[];
}

interface CountedOutcome {
  question: LoadedOutcome['question'];
  isChoice: boolean;
  kind: 'CATEGORY' | 'NUMBER';
  known: number;
  /** [levels], or one of a number. */
  values: (string | null)[];
  counts: number[];
  /** [levels] how many people stand behind each figure. */
  sizes: number[];
  shares: number[] | null;
  rds2: number[] | null;
  titles: ReturnType<typeof titlesOf>;
  offered: LoadedOutcome['offered'];
  spread: Histogram | null;
  sites: SiteTable | null;
}

type Asked = Pick<SampleWish, 'zone' | 'now' | 'withOtherSites'>;

const kept = keepingLastAnswers<Counted>('answers');

export async function answersFor(
  reader: Reader,
  { maxAge, ...query }: AnswersQuery,
  now: Date,
): Promise<Shape> {
  const settings = await study();
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const withOtherSites = smallest > 0;
  const key = [mongoose.connection.name, reader.zone, query, settings.outcomes, withOtherSites];
  const make = () => count(query, { zone: reader.zone, now, withOtherSites });
  const counted = await kept(key, () => withSample(reader, make), maxAge);
  const isPart = query.location !== undefined;
  const names = [...new Set(query.question)];
  return {
    asOf: counted.asOf.toISOString(),
    n: counted.n,
    questions: names.map((name) => {
      const outcomes = counted.outcomes.filter(({ question }) => question.name === name);
      return shown(outcomes as [CountedOutcome], counted.n, { smallest, isPart });
    }),
  };
}

async function count({ question, ...window }: AnswersQuery, asked: Asked): Promise<Counted> {
  const offered = await loadSample({ window: {}, ...asked, outcomes: 'ALL', isEmpty: true });
  const wanted = question.flatMap((name, at) => {
    const outcomes = offered.outcomes.filter((one) => one.question.name === name);
    if (outcomes.length > 0) return outcomes.map((one) => one.name);
    throw problem('INVALID_QUERY', { errors: [fieldError(`question.${at}`, 'NO_OUTCOME')] });
  });
  const sample = await loadSample({
    window,
    ...asked,
    outcomes: Object.fromEntries([...new Set(wanted)].map((name) => [name, name])),
  });
  const tables = siteTablesOf(sample);
  const equal = equalWeights(sample.ids.length);
  const weights = rds2Weights(replacedSizes(sample.reportedSizes));
  const outcomes: CountedOutcome[] = [];
  for (const [at, one] of sample.outcomes.entries()) {
    // Of a hundred choices each is a pass over all interviews.
    await turn();
    const { outcome, name, question: asks, offered: answers } = one;
    const known = knownRows(outcome).length;
    outcomes.push({
      question: asks,
      isChoice: name !== asks.name,
      kind: outcome.kind,
      known,
      values: outcome.kind === 'CATEGORY' ? [...outcome.levels] : [null],
      counts: outcome.kind === 'CATEGORY' ? [...countsOf(outcome)] : [known],
      sizes: outcome.kind === 'CATEGORY' ? [...countsOf(outcome)] : [cellSizeOf(outcome.values)],
      shares: estimate(outcome, equal),
      rds2: estimate(outcome, weights),
      titles: titlesOf(one, sample.elsewhere?.outcomes[at]),
      offered: answers,
      spread: outcome.kind === 'NUMBER' ? histogramOf(outcome.values) : null,
      sites: tables[at] ?? null,
    });
  }
  return { asOf: sample.asOf, n: sample.ids.length, outcomes };
}

interface Showing {
  smallest: number;
  /** Only some days, or one site. */
  isPart: boolean;
}

/** `outcomes` are one, or the choices of one question. */
function shown(outcomes: readonly [CountedOutcome], n: number, { smallest, isPart }: Showing): Question {
  const [first] = outcomes;
  const { question, kind, isChoice, spread } = first;
  const isFew = n > 0 && n < smallest;
  const levels = outcomes.flatMap((one) => levelsOf(one, isFew, smallest));
  const closed = levels.every(({ hidden }) => hidden);
  return {
    ...question,
    kind: isChoice ? 'SEVERAL' : kind === 'NUMBER' ? 'NUMBER' : 'ONE',
    known: first.known,
    missing: n - first.known,
    levels,
    spread: spread && !closed && !(isPart && smallest > 0) ? shownHistogram(spread, smallest) : null,
  };
}

function levelsOf(one: CountedOutcome, isFew: boolean, smallest: number): Question['levels'] {
  const { values, counts, sizes, titles, offered, isChoice } = one;
  // Of so few people not even which answers they gave is told.
  if (isFew) {
    const nothing = { count: null, share: null, rds2: null, hidden: true as const };
    const open = one.kind === 'NUMBER' ? [{ value: null, title: null }] : offered;
    return open.filter(({ value }) => !isChoice || value === '1').map((level) => ({ ...level, ...nothing }));
  }
  const among = hiddenAmong(sizes, smallest);
  const hidden = one.sites
    ? hiddenAtSite(one.sites, smallest)
    : new Set(values.filter((_, level) => among[level]));
  const levels = View.of(values, hidden, smallest).levels((figure, { value }) => ({
    title: titles.get(value) ?? null,
    count: figure(counts),
    share: figure(one.shares),
    rds2: figure(one.rds2),
  }));
  if (!isChoice) return levels;
  const chosen = levels.find(({ value }) => value === '1') ?? {
    ...{ value: '1', title: offered.find(({ value }) => value === '1')?.title ?? null },
    // Nobody chose it: hidden with the other answer, if that is.
    ...(hidden.has('0')
      ? { count: null, share: null, rds2: null, hidden: true as const }
      : { count: 0, share: one.known > 0 ? 0 : null, rds2: one.known > 0 ? 0 : null }),
  };
  return [chosen];
}
