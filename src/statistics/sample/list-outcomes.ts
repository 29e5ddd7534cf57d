/** The outcomes that can be estimated, with the number of people who answered each. */
import type { z } from 'zod';
import { byCodePoint, rowsWithKnownAnswer } from '../estimators/outcome.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { StudyTable } from '../study-table/table.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { levelTitlesOf } from './by-site.ts';
import { LOCATION_OUTCOME_SPEC } from './catalog.ts';
import { loadRoundContext } from './load.ts';
import { type ResultsReader, readerId, smallestCellFor } from './right.ts';
import {
  type LoadedOutcome,
  type SampleContext,
  type SampleOptions,
  type SampleSource,
  sampleOf,
} from './sample.ts';
import type { OutcomeList, OutcomesQuery } from './schema.ts';
import { versionsInUse } from './versions.ts';

type Offered = z.input<typeof OutcomeList>['data'];

export async function listOutcomesForReader(
  reader: ResultsReader,
  { counted, ...window }: z.infer<typeof OutcomesQuery>,
): Promise<Offered> {
  const { settings, context } = await loadRoundContext(window.round);
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const request = { window, zone: reader.zone, smallest, ...context };
  return await queryStudyTable(
    offeredOutcomesTableQuery,
    { ...request, isCounted: counted !== 'false' },
    readerId(reader),
  );
}

/**
 * For a single site, includes the levels of other sites: that nobody gave an answer at this site could reveal what a
 * few people said.
 */
const levelsOf = (here: LoadedOutcome, elsewhere?: LoadedOutcome) =>
  [...levelTitlesOf(here, here.name === LOCATION_OUTCOME_SPEC.name ? undefined : elsewhere)]
    .sort(([a], [b]) => byCodePoint(a ?? '', b ?? ''))
    .map(([value, title]) => ({ value: value ?? '', title }));

interface OutcomesRequest extends SampleContext, Pick<SampleOptions, 'window' | 'zone'> {
  isCounted: boolean;
  /** The minimum cell size: smaller samples do not reveal which levels occur. 0 means no limit. */
  smallest: number;
}

export const offeredOutcomesTableQuery = createStudyTableQuery('outcomes', outcomesOffered);

function outcomesOffered(whole: SampleSource, { isCounted, smallest, ...of }: OutcomesRequest): Offered {
  const table = isCounted ? whole : withoutInterviews(whole);
  const sample = sampleOf(table, { ...of, outcomes: 'ALL', withOtherSites: smallest > 0 });
  const { n, outcomes } = sample;
  // With only a few people, which answers occurred must stay private.
  const isHidden = !isCounted || n < smallest;
  return outcomes.map((loaded, place) => {
    const { name, title, question, decidesEligibility, coversEveryone, outcome, questionnaires } = loaded;
    const { notAsked } = loaded;
    const answerCount = rowsWithKnownAnswer(outcome).length;
    const levels = () => (isHidden ? loaded.offered : levelsOf(loaded, sample.elsewhere?.outcomes[place]));
    return {
      name,
      title,
      question: question.name,
      decidesEligibility,
      coversEveryone,
      kind: outcome.kind,
      levels: outcome.kind === 'CATEGORY' ? levels() : null,
      known: isCounted ? answerCount : null,
      missing: isCounted ? n - answerCount - notAsked : null,
      notAsked: isCounted ? notAsked : null,
      questionnaires,
    };
  });
}

/** With no interviews in the table, nothing is counted. */
const withoutInterviews = ({ interviews, versions }: SampleSource): SampleSource => ({
  interviews: new StudyTable({ interviews: 0, coupons: 0, seeds: 0 }).interviews,
  versions,
  held: versionsInUse(interviews),
});
