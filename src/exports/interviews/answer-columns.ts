/** The columns of all questionnaires that the interviews used, and an interview's cells in them. */
import type { ClientSession, mongo } from 'mongoose';
import { SurveyModel, type SurveyRecord } from '../../interviews/surveys/model.ts';
import type { AnswerShape } from '../../questionnaires/codebook/answer-shape.ts';
import type { QuestionnaireRecord } from '../../questionnaires/model.ts';
import { renamedAnswer, renamedValuePairsOf } from '../../questionnaires/renamed-values.ts';
import { codebookOf } from '../../questionnaires/stored-codebook.ts';
import { columnsOfAnswer, type ExportCell, type ExportColumn, writeAnswerCells } from './cells.ts';
import { columnOfQuestion } from './record-columns.ts';

export interface QuestionnaireColumns {
  questionnaire: QuestionnaireRecord;
  languages: string[];
  shapes: Map<string, AnswerShape>;
  columns: ExportColumn[];
}

/** `match` selects the interviews: a repeat gets as many columns as the longest answer needs. */
export async function answerColumnsOf(
  questionnaire: QuestionnaireRecord,
  match: mongo.Document,
  session: ClientSession,
): Promise<QuestionnaireColumns> {
  const { languages = [], shapes: codebookShapes } = (await codebookOf(questionnaire._id)) ?? {};
  const shapes = new Map(codebookShapes);
  const lists = [...shapes].flatMap(([key, shape]) => (shape.kind === 'list' ? [{ key, shape }] : []));
  const counts = await longest(
    lists.map(({ key }) => key),
    { $and: [match, { questionnaire: questionnaire._id }] },
    session,
  );
  for (const [at, { key, shape }] of lists.entries()) shapes.set(key, { ...shape, count: counts[at] ?? 0 });
  const columns = [...shapes].flatMap(([key, shape]) => {
    const former = renamedValuePairsOf(key);
    return columnsOfAnswer(shape, columnOfQuestion(key)).map((column) => ({
      ...column,
      ...(former.length > 0 && column.values.length > 0 && { former }),
    }));
  });
  return { questionnaire, languages, shapes, columns };
}

async function longest(keys: string[], match: mongo.Document, session: ClientSession): Promise<number[]> {
  if (keys.length === 0) return [];
  const lengths = keys.map((key, at) => {
    // With `$getField`, because a name may begin or end with characters that a path can't contain.
    const answer = { $getField: { field: { $literal: key }, input: '$responses' } };
    return [`n${at}`, { $max: { $cond: [{ $isArray: answer }, { $size: answer }, 0] } }] as const;
  });
  const [maxima] = await SurveyModel.collection
    .aggregate<Record<string, number>>(
      [{ $match: match }, { $group: { _id: null, ...Object.fromEntries(lengths) } }],
      { session },
    )
    .toArray();
  return keys.map((_, at) => maxima?.[`n${at}`] ?? 0);
}

/** Merges columns in question order; columns that a later version adds go after the column they follow there. */
export function mergeColumns(all: QuestionnaireColumns[]): ExportColumn[] {
  const columns: ExportColumn[] = [];
  for (const { columns: own } of all) {
    let next = 0;
    for (const column of own) {
      const at = columns.findIndex(({ name }) => name === column.name);
      // Use the texts of the latest version.
      if (at >= 0) columns[at] = withValues(column, columns[at]);
      else columns.splice(next, 0, column);
      next = (at >= 0 ? at : next) + 1;
    }
  }
  return columns;
}

function withValues(column: ExportColumn, before: ExportColumn | undefined): ExportColumn {
  const ownValues = new Set(column.values.map(({ value }) => value));
  return {
    ...column,
    values: [...column.values, ...(before?.values ?? []).filter(({ value }) => !ownValues.has(value))],
  };
}

/** Columns that the interview's own version doesn't have stay empty, because they weren't asked. */
export function answerCellsOf(
  { responses }: Pick<SurveyRecord, 'responses'>,
  shapes: Map<string, AnswerShape>,
) {
  const cells = new Map<string, ExportCell>();
  const remaining: Record<string, unknown> = {};
  for (const [key, answer] of Object.entries(responses ?? {})) {
    const shape = shapes.get(key);
    const rest = shape
      ? writeAnswerCells(shape, columnOfQuestion(key), renamedAnswer(key, answer), (name, cell) =>
          cells.set(name, cell),
        )
      : answer;
    if (rest !== undefined && rest !== null) remaining[key] = rest;
  }
  return { cells, left: Object.keys(remaining).length > 0 ? JSON.stringify(remaining) : '' };
}
