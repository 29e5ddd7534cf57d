/** The codebook of rds.csv, for the bundle: one row for each column, by its name there. */
import { rowsWithKnownAnswer } from '../../statistics/estimators/outcome.ts';
import type { LoadedOutcome } from '../../statistics/sample/sample.ts';
import { type CodebookColumn, codebookRows } from '../interviews/codebook.ts';
import type { CellRow } from '../interviews/row-text.ts';
import { TREE_COLUMNS, uniqueColumnNames } from './sample-table.ts';

export const TREE_COLUMN_TEXTS: Record<(typeof TREE_COLUMNS)[number], string> = {
  id: 'Interview ID.',
  'recruiter.id': 'ID of the recruiter’s interview; "seed" if it is not in this file.',
  'network.size': 'Network size (personal degree), as answered.',
  wave: 'Wave: 0 for a seed of this file, otherwise one more than the recruiter.',
  seed: 'ID of the interview that the chain starts with in this file.',
  time: 'Start of the interview, never before the recruiter’s; UTC.',
  'max.coupons': 'How many coupons were handed out.',
};

export type DescribedOutcome = Pick<
  LoadedOutcome,
  'name' | 'title' | 'outcome' | 'levelTitles' | 'offered' | 'questionnaires' | 'notAsked'
>;

/** `labelOf`: the name of a questionnaire version, by id. */
export function sampleCodebook(
  outcomes: readonly DescribedOutcome[],
  labelOf: (id: string) => string,
): CellRow[] {
  const place = TREE_COLUMNS.map(
    (name): CodebookColumn => ({
      ...{ name, type: 'record', text: { en: TREE_COLUMN_TEXTS[name] }, values: [], questionnaires: [] },
      isNetworkSize: name === 'network.size',
    }),
  );
  const names = uniqueColumnNames(outcomes.map(({ name }) => name));
  const answers = outcomes.map(
    (one, at): CodebookColumn => ({
      name: names[at]!,
      type: one.outcome.kind.toLowerCase(),
      text: one.title,
      values: codebookValuesOf(one),
      questionnaires: one.questionnaires.map(labelOf),
      isNetworkSize: false,
      people: peopleOf(one),
    }),
  );
  const languages = outcomes.flatMap(({ title }) => Object.keys(title));
  return codebookRows([...place, ...answers], [...new Set(['en', ...languages])]);
}

function peopleOf({ outcome, notAsked }: DescribedOutcome): NonNullable<CodebookColumn['people']> {
  const answered = rowsWithKnownAnswer(outcome).length;
  const { length: all } = outcome.kind === 'CATEGORY' ? outcome.codes : outcome.values;
  return { answered, missing: all - answered - notAsked, notAsked };
}

/** The answers that the question offers, followed by others that occur, such as sites. */
export function codebookValuesOf({
  outcome,
  offered,
  levelTitles,
}: DescribedOutcome): CodebookColumn['values'] {
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels : [];
  const offeredValues = new Set(offered.map(({ value }) => value));
  return [
    ...offered.map(({ value, title }) => ({ value, text: title })),
    ...levels.flatMap((value, at) =>
      offeredValues.has(value) ? [] : [{ value, text: levelTitles[at] ?? {} }],
    ),
  ];
}
