/**
 * Requests a run: for a person, a population count or the nightly calculation. It waits until a process picks it up.
 */
import { randomInt } from 'node:crypto';
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { lockInTransaction } from '../../platform/db/transaction.ts';
import { invalidFieldProblem, Problem, problem } from '../../platform/http/problems/problem.ts';
import { LocationModel } from '../../study/locations/model.ts';
import { type RoundReference, requestedRound, settingsOfRound } from '../../study/rounds/requested.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { type OutcomeSpec, outcomeCatalogOf } from '../sample/catalog.ts';
import { questionKindOfOutcome } from '../sample/columns.ts';
import { rowsWithin } from '../sample/rows.ts';
import type { SampleOptions } from '../sample/sample.ts';
import {
  type ApprovedFormulas,
  type SampledQuestionnaireVersions,
  sampleVersions,
} from '../sample/versions.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { cancelRunUpdate, unfinishedRunFilter } from './cancel.ts';
import { AnalysisRunModel, type AnalysisRunRecord, filterKeyOf } from './model.ts';
import { type AnalysisRunCreate, ESTIMATORS_BY_METHOD, type RunRequest } from './schema.ts';

/** The most runs one person can have waiting or running. */
const MAX_RUNS_PER_PERSON = 5;
/** The same limit for runs that a person's counts start automatically. */
const MAX_RUNS_FOR_COUNTS = 50;

/**
 * Fills in the defaults and validates the request: 400 if it refers to something that does not exist, or if the outcome
 * is not of `requiredKind`. `zone` is the study's time zone.
 */
export async function completeRunRequest(
  body: AnalysisRunCreate,
  zone: string,
  requiredKind?: 'CATEGORY',
): Promise<RunRequest> {
  const { outcome, method, estimator = ESTIMATORS_BY_METHOD[method][0], samples, confidence } = body;
  const { location = null, from = null, to = null, questionnaire = null, randomSeed = null } = body;
  const requested = await requestedRound(body.round).catch(rethrowAsFieldProblem);
  const settings = settingsOfRound(await loadStudy(), requested);
  const { ref: round } = requested;
  const versions = await versionsAsked(questionnaire, settings.approvedFormulas, round);
  const catalogue = outcomeCatalogOf(versions, settings);
  const spec = catalogue.find(({ name }) => name === outcome);
  if (outcome !== null && !spec) throw invalidFieldProblem('outcome', 'NO_OUTCOME');
  const filters = { location, from, to, questionnaire, round: round.id };
  if (spec) await refuseDiffering(spec, versions, filters, { zone, round });
  if (requiredKind && spec?.kind !== requiredKind) throw invalidFieldProblem('outcome', 'NOT_A_CATEGORY');
  if ((method === 'GILE' || method === 'SALGANIK') && spec?.kind === 'NUMBER')
    throw invalidFieldProblem('method', 'NOT_A_CATEGORY');
  if (location !== null && !(await LocationModel.exists({ _id: new mongoose.Types.ObjectId(location) })))
    throw invalidFieldProblem('location', 'NO_LOCATION');
  const populationSize = body.populationSize ?? (estimator === 'SS' ? settings.populationSize : null);
  if (estimator === 'SS' && populationSize === null) throw invalidFieldProblem('populationSize', 'MISSING');
  return { outcome, method, estimator, samples, confidence, randomSeed, populationSize, ...filters };
}

/** Turns a query error into an error of the body field. */
export function rethrowAsFieldProblem(error: unknown): never {
  if (error instanceof Problem && error.name === 'INVALID_QUERY')
    throw invalidFieldProblem('round', 'UNKNOWN_ROUND');
  throw error;
}

async function versionsAsked(
  questionnaire: string | null,
  approved: ApprovedFormulas,
  round: RoundReference,
) {
  try {
    return await sampleVersions({ questionnaire: questionnaire ?? undefined, approved }, round);
  } catch (error) {
    if (error instanceof Problem && error.name === 'INVALID_QUERY')
      throw invalidFieldProblem('questionnaire', 'NO_QUESTIONNAIRE');
    throw error;
  }
}

type Filters = Pick<RunRequest, 'location' | 'from' | 'to' | 'questionnaire'>;

/** As for estimates, refuses a question that had another kind in a version that people in the sample answered. */
async function refuseDiffering(
  { kind, source }: OutcomeSpec,
  versions: SampledQuestionnaireVersions,
  { location, from, to, questionnaire }: Filters,
  { zone, round }: { zone: string; round: RoundReference },
): Promise<void> {
  // With a single named version, there is nothing to compare.
  if (source.from !== 'ANSWER' || questionnaire !== null) return;
  const expectedKind = questionKindOfOutcome(source, kind);
  const elsewhere: string[] = [];
  // Includes versions of other questionnaires: their answers to a question with this name are counted too.
  const window = { location: location ?? undefined, from: from ?? undefined, to: to ?? undefined };
  for (const id of await queryStudyTable(answeredVersionsTableQuery, { window, zone, round })) {
    const version = versions.get(id);
    if (version && (version.countables.get(source.key)?.kind ?? expectedKind) !== expectedKind)
      elsewhere.push(version.label);
  }
  if (elsewhere.length === 0) return;
  throw invalidFieldProblem('outcome', 'OTHER_OUTCOME', {
    here: versions.leading?.label ?? 'one',
    elsewhere: elsewhere.sort().join(', '),
  });
}

export const answeredVersionsTableQuery = createStudyTableQuery(
  'versions answered',
  (
    { interviews },
    { window, zone }: Pick<SampleOptions, 'window' | 'zone'> & { round: RoundReference },
  ): string[] => {
    const codes = new Set<number>();
    for (const row of rowsWithin(interviews, window, zone)) codes.add(interviews.version.codes[row]!);
    return [...codes].map((code) => interviews.version.values[code]!);
  },
);

interface RunAuthor {
  /** Null for the nightly calculation. */
  by: Types.ObjectId | null;
  now: Date;
  /** The run belongs to a count, and is kept as long as the count. */
  isKept?: boolean;
  night?: string;
}

/** Runs in the caller's transaction; call `wakeRunJobs` after it commits. 429 if the person has too many open runs. */
export async function insertRun(
  session: ClientSession,
  request: RunRequest,
  { by, now, isKept = false, night }: RunAuthor,
): Promise<AnalysisRunRecord> {
  if (by) await limit(session, by, isKept);
  const run: AnalysisRunRecord = {
    _id: new mongoose.Types.ObjectId(),
    state: 'WAITING',
    progress: 0,
    request,
    filters: filterKeyOf(request),
    randomSeed: request.randomSeed ?? randomInt(2 ** 32),
    createdBy: by,
    createdAt: now,
    finishedAt: null,
    error: null,
    result: null,
    holder: null,
    heldUntil: null,
    tries: 0,
    isKept,
    ...(night === undefined ? {} : { night }),
  };
  await AnalysisRunModel.collection.insertOne(run, { session });
  return run;
}

/** Its count no longer uses it: cancels the run if it is unfinished, and lets it expire like any other. */
export async function letRunExpire(session: ClientSession, _id: Types.ObjectId, now: Date): Promise<void> {
  await AnalysisRunModel.collection.updateOne({ _id }, { $set: { isKept: false } }, { session });
  await AnalysisRunModel.collection.updateOne(unfinishedRunFilter(_id), cancelRunUpdate(now), { session });
}

async function limit(session: ClientSession, by: Types.ObjectId, isKept: boolean): Promise<void> {
  await lockInTransaction(session, `analysis runs of ${by}`);
  const open = { createdBy: by, isKept, state: { $in: ['WAITING', 'RUNNING'] as const } };
  const max = isKept ? MAX_RUNS_FOR_COUNTS : MAX_RUNS_PER_PERSON;
  if ((await AnalysisRunModel.countDocuments(open).session(session)) < max) return;
  throw problem('RATE_LIMITED', {
    message: `${max} of your runs are waiting or running. Wait for one of them, or cancel it.`,
    headers: { 'Retry-After': '60' },
  });
}
