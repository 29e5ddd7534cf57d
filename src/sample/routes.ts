import { byCodePoint, knownRows } from '../analysis/outcome.ts';
import { type Route, route } from '../http/route.ts';
import { study } from '../study/model.ts';
import { titlesOf } from './by-site.ts';
import { LOCATION } from './catalogue.ts';
import { type LoadedOutcome, loadSample } from './load.ts';
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
    handle: async ({ actor, deps, query: { counted, ...window }, now }) => {
      await mayReadAnalysis({ actor, deps });
      const isCounted = counted !== 'false';
      const smallest = smallestCellFor(actor, (await study()).smallestCell);
      const asked = { window, zone: actor.zone, now, withOtherSites: smallest > 0 };
      const sample = await loadSample({ ...asked, outcomes: 'ALL', isEmpty: !isCounted });
      const { ids, outcomes } = sample;
      // Which answers a handful of people gave is theirs alone.
      const isHidden = !isCounted || ids.length < smallest;
      const data = outcomes.map(
        ({ name, title, question, decidesPart, outcome, offered, questionnaires }, place) => {
          const known = knownRows(outcome).length;
          return {
            name,
            title,
            question: question.name,
            decidesPart,
            kind: outcome.kind,
            levels:
              outcome.kind === 'CATEGORY'
                ? isHidden
                  ? offered
                  : levelsOf(outcomes[place]!, sample.elsewhere?.outcomes[place])
                : null,
            known: isCounted ? known : null,
            missing: isCounted ? ids.length - known : null,
            questionnaires,
          };
        },
      );
      return { data };
    },
  }),
];
