import mongoose from 'mongoose';
import type { z } from 'zod';
import { byCodePoint, knownRows } from '../analysis/outcome.ts';
import { type Route, route } from '../http/route.ts';
import { keepingLastAnswers } from '../recruitment/kept.ts';
import { study } from '../study/model.ts';
import { titlesOf } from './by-site.ts';
import { LOCATION } from './catalogue.ts';
import { type LoadedOutcome, loadSample, type SampleWish } from './load.ts';
import './outcome-check.ts';
import { mayReadAnalysis, smallestCellFor } from './right.ts';
import { OutcomeList, OutcomesQuery } from './schema.ts';

/** Of one site: those of the others too, where it could tell what a few people said that it has nobody of one. */
const levelsOf = (here: LoadedOutcome, elsewhere?: LoadedOutcome) =>
  [...titlesOf(here, here.name === LOCATION.name ? undefined : elsewhere)]
    .sort(([a], [b]) => byCodePoint(a ?? '', b ?? ''))
    .map(([value, title]) => ({ value: value ?? '', title }));

export const sampleRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/analysis/outcomes',
    access: 'approved',
    tag: 'Analysis',
    summary: 'What can be estimated',
    description:
      'Each question of the active questionnaire that can be counted (one choice and yes or no are a CATEGORY, numbers and ratings a NUMBER), each choice of a question with several (`servicesUsed.food`, with the levels 0 and 1), the site, and what the study works out of answers (`outcomes` of its settings). Free text is none. "Refuse" and "don\'t know" are missing answers. Versions of a questionnaire are joined by the names of their questions.',
    query: OutcomesQuery,
    reply: { 200: OutcomeList },
    problems: ['FORBIDDEN', 'RATE_LIMITED'],
    handle: async ({ actor, deps, query: { counted, maxAge, ...window }, now }) => {
      await mayReadAnalysis({ actor, deps });
      const { outcomes, smallestCell } = await study();
      const smallest = smallestCellFor(actor, smallestCell);
      const isCounted = counted !== 'false';
      const key = [mongoose.connection.name, actor.zone, window, outcomes, smallest];
      const made = () => offer({ window, zone: actor.zone, now, isCounted, smallest });
      return { data: isCounted ? await kept(key, made, maxAge) : await made() };
    },
  }),
];

interface Offering extends Pick<SampleWish, 'window' | 'zone' | 'now'> {
  isCounted: boolean;
  /** No level is told that fewer people gave; 0: all are. */
  smallest: number;
}

const kept = keepingLastAnswers<z.input<typeof OutcomeList>['data']>('outcomes 1', 0);

async function offer({ isCounted, smallest, ...of }: Offering) {
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
    const { name, title, question, decidesPart, outcome, offered, questionnaires } = loaded;
    const known = knownRows(outcome).length;
    const levels = () => (isHidden ? offered : levelsOf(loaded, sample.elsewhere?.outcomes[place]));
    return {
      name,
      title,
      question: question.name,
      decidesPart,
      kind: outcome.kind,
      levels: outcome.kind === 'CATEGORY' ? levels() : null,
      known: isCounted ? known : null,
      missing: isCounted ? ids.length - known : null,
      questionnaires,
    };
  });
}
