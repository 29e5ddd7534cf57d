/** The answers behind a count's tables, person by person, for files that allow others to reproduce them. */
import { studyContext } from '../../sample/load.ts';
import { type SampleOptions, type StudyContext, sampleOf } from '../../sample/sample.ts';
import { askTable } from '../../study-table/ask.ts';
import { figure } from '../../study-table/figure.ts';
import { QUESTIONS } from './questions.ts';
import { type CountAnswers, readAnswers } from './read-answers.ts';

type Wish = Pick<SampleOptions, 'window' | 'zone'>;

export interface PersonCells {
  /** [n] */
  ids: string[];
  answers: CountAnswers;
}

export const personCellsFigure = figure(
  'person cells',
  (table, request: Wish & StudyContext): PersonCells => {
    const sample = sampleOf(table, { ...request, outcomes: {}, optionalOutcomes: Object.values(QUESTIONS) });
    return {
      ids: Array.from({ length: sample.n }, (_, row) => sample.idOf(row)),
      answers: readAnswers(sample),
    };
  },
);

export async function personCells(request: Wish): Promise<PersonCells> {
  const { context } = await studyContext(request.window.round);
  return await askTable(personCellsFigure, { ...request, ...context });
}
