/** The answers behind a count's tables, person by person, for files that allow others to reproduce them. */
import { loadRoundContext } from '../../sample/load.ts';
import { type SampleContext, type SampleOptions, sampleOf } from '../../sample/sample.ts';
import { queryStudyTable } from '../../study-table/ask.ts';
import { createStudyTableQuery } from '../../study-table/table-query.ts';
import { COUNT_TABLE_QUESTION_NAMES } from './questions.ts';
import { type CountTableAnswers, readCountAnswers } from './read-answers.ts';

type Wish = Pick<SampleOptions, 'window' | 'zone'>;

export interface PersonCountAnswers {
  /** [n] */
  ids: string[];
  answers: CountTableAnswers;
}

export const countAnswersStudyTableQuery = createStudyTableQuery(
  'person cells',
  (table, request: Wish & SampleContext): PersonCountAnswers => {
    const sample = sampleOf(table, {
      ...request,
      outcomes: {},
      optionalOutcomes: Object.values(COUNT_TABLE_QUESTION_NAMES),
    });
    return {
      ids: Array.from({ length: sample.n }, (_, row) => sample.idOf(row)),
      answers: readCountAnswers(sample),
    };
  },
);

export async function loadCountAnswersByPerson(request: Wish): Promise<PersonCountAnswers> {
  const { context } = await loadRoundContext(request.window.round);
  return await queryStudyTable(countAnswersStudyTableQuery, { ...request, ...context });
}
