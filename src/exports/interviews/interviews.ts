/**
 * Interviews as a table, one row each, all as of the same moment. They are read and written in batches, so that memory
 * use doesn't depend on their number.
 */

import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession, mongo, Types } from 'mongoose';
import { SurveyModel, type SurveyRecord } from '../../interviews/surveys/model.ts';
import { withNoNetworkSizeReason } from '../../questionnaires/answers/nonresponse.ts';
import { QuestionnaireModel, type QuestionnaireRecord } from '../../questionnaires/model.ts';
import { LocationModel } from '../../study/locations/model.ts';
import { STUDY_ID, StudyModel } from '../../study/settings/model.ts';
import { answerCellsOf, answerColumnsOf, mergeColumns, type QuestionnaireColumns } from './answer-columns.ts';
import type { ExportColumn } from './cells.ts';
import { type CodebookColumn, codebookRows } from './codebook.ts';
import { inBatches } from './in-batches.ts';
import {
  columnOfQuestion,
  OTHER_ANSWERS_COLUMN,
  type RecordColumn,
  recordColumns,
} from './record-columns.ts';
import type { CellRow } from './row-text.ts';

const BATCH_SIZE = 100;
/**
 * Amount read from the database at a time, estimated by the largest interview: a megabyte takes five milliseconds to
 * unpack.
 */
const BATCH_BYTES = 1_500_000;
/** Minimum per read; otherwise one large interview among many would cause too many reads. */
const MIN_BATCH_SIZE = 5;
/** Cells calculated before other requests get a turn, because a questionnaire may have thousands of columns. */
const BATCH_CELLS = 3_000;

export interface InterviewTableRequest {
  /** Which interviews, as a filter on the collection. */
  match: mongo.Document;
  /** Includes deleted interviews, with a column that marks them. */
  includeDeleted: boolean;
  coordinates: boolean;
  zone: string;
}

export interface ExportPlan extends InterviewTableRequest {
  /** Number of interviews read from the database at a time. */
  atOnce: number;
  total: number;
  columnSets: QuestionnaireColumns[];
  record: RecordColumn[];
  answers: ExportColumn[];
  names: string[];
}

export async function planExport(
  request: InterviewTableRequest,
  session: ClientSession,
): Promise<ExportPlan> {
  const { match } = request;
  const size = { $size: '$issuedCodes' };
  const bytes = { $max: { $bsonSize: '$$ROOT' } };
  const group = { _id: '$questionnaire', count: { $sum: 1 }, coupons: { $max: size }, bytes };
  const steps = [{ $match: match }, { $group: group }];
  const used = await SurveyModel.collection
    .aggregate<{ _id: Types.ObjectId; count: number; coupons: number; bytes: number }>(steps, { session })
    .toArray();
  const questionnaires = await questionnairesOf(
    used.map(({ _id }) => _id),
    session,
  );
  const columnSets: QuestionnaireColumns[] = [];
  for (const one of questionnaires) columnSets.push(await answerColumnsOf(one, match, session));
  const study = await StudyModel.collection.findOne({ _id: STUDY_ID }, { session });
  const coupons = Math.max(study?.couponsPerSurvey ?? 0, ...used.map((one) => one.coupons));
  const record = recordColumns(coupons, request);
  const answers = mergeColumns(columnSets);
  const names = [...record, ...answers, OTHER_ANSWERS_COLUMN].map(({ name }) => name);
  const atOnce = Math.max(
    MIN_BATCH_SIZE,
    Math.floor(BATCH_BYTES / Math.max(1, ...used.map((one) => one.bytes))),
  );
  return {
    ...request,
    atOnce: Math.min(BATCH_SIZE, atOnce),
    total: used.reduce((sum, one) => sum + one.count, 0),
    columnSets,
    record,
    answers,
    names,
  };
}

/** The questionnaires that were used, in order of creation; if there are none, the active one. */
async function questionnairesOf(
  ids: Types.ObjectId[],
  session: ClientSession,
): Promise<QuestionnaireRecord[]> {
  const filter = ids.length > 0 ? { _id: { $in: ids } } : { active: true };
  const questionnaires = await QuestionnaireModel.collection
    .find<QuestionnaireRecord>(filter, { session, projection: { codebook: 0 } })
    .sort({ createdAt: 1, _id: 1 })
    .toArray();
  return questionnaires.map(withNoNetworkSizeReason);
}

/** The rows, in batches. */
export async function* exportRows(plan: ExportPlan, session: ClientSession): AsyncGenerator<CellRow[]> {
  const places = await LocationModel.collection.find({}, { session, projection: { name: 1 } }).toArray();
  const around = {
    zone: plan.zone,
    sites: new Map(places.map((one) => [String(one._id), String(one.name)])),
    questionnaires: new Map(
      plan.columnSets.map(({ questionnaire }) => [String(questionnaire._id), questionnaire]),
    ),
  };
  const shapes = new Map(plan.columnSets.map((one) => [String(one.questionnaire._id), one.shapes]));
  const some = Math.max(1, Math.floor(BATCH_CELLS / plan.names.length));
  for await (const batch of batches(plan, session)) {
    const inFile = await recruitersIn(batch, plan.match, session);
    const rowOf = (survey: SurveyRecord): CellRow => {
      const { cells, left: remaining } = answerCellsOf(
        survey,
        shapes.get(String(survey.questionnaire)) ?? new Map(),
      );
      const own = plan.record.map((column) => column.read(survey, { ...around, inFile }));
      return [...own, ...plan.answers.map(({ name }) => cells.get(name)), remaining];
    };
    for (let at = 0; at < batch.length; at += some) {
      yield batch.slice(at, at + some).map(rowOf);
      await turn();
    }
  }
}

/** Ordered by id, which is the order in which the service stored them. */
function batches({ match, atOnce }: ExportPlan, session: ClientSession): AsyncGenerator<SurveyRecord[]> {
  const cursor = SurveyModel.collection
    .find<SurveyRecord>(match, { session, batchSize: atOnce })
    .sort({ _id: 1 });
  return inBatches(cursor, BATCH_SIZE);
}

async function recruitersIn(
  batch: SurveyRecord[],
  match: mongo.Document,
  session: ClientSession,
): Promise<Set<string>> {
  const ids = batch.flatMap(({ recruiter }) => recruiter ?? []);
  const recruiters = await SurveyModel.collection
    .find({ $and: [{ _id: { $in: ids } }, match] }, { session, projection: { _id: 1 } })
    .toArray();
  return new Set(recruiters.map(({ _id }) => String(_id)));
}

export function codebookRowsForExport({ record, answers, columnSets }: ExportPlan): CellRow[] {
  const languages = [...new Set(['en', ...columnSets.flatMap((one) => one.languages)])];
  const plain = ({ name, text }: { name: string; text: string }): CodebookColumn => {
    const isNetworkSize = name === 'network_size';
    return { name, type: 'record', text: { en: text }, values: [], questionnaires: [], isNetworkSize };
  };
  const networkSizes = new Set(
    columnSets.map(({ questionnaire }) => columnOfQuestion(questionnaire.networkSizeQuestion)),
  );
  const questions = answers.map((column): CodebookColumn => {
    const asking = columnSets.filter(({ columns }) => columns.some(({ name }) => name === column.name));
    const questionnaires = asking.map(({ questionnaire: { name, version } }) => `${name}@${version}`);
    return { ...column, questionnaires, isNetworkSize: networkSizes.has(column.name) };
  });
  return codebookRows([...record.map(plain), ...questions, plain(OTHER_ANSWERS_COLUMN)], languages);
}
