/**
 * Requests a run: for a person, a population count or the nightly calculation. It waits until a process picks it up.
 */
import { randomInt } from 'node:crypto';
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { lockInTransaction } from '../../platform/db/transaction.ts';
import { fieldProblem, Problem, problem } from '../../platform/http/problems/problem.ts';
import { Locations } from '../../study/locations/model.ts';
import { type RoundReference, requestedRound, settingsOfRound } from '../../study/rounds/requested.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { catalogueOf, type OutcomeSpec } from '../sample/catalogue.ts';
import { wantedKind } from '../sample/columns.ts';
import { rowsWithin } from '../sample/rows.ts';
import type { SampleWish } from '../sample/sample.ts';
import { type ApprovedFormulas, type SampleVersions, sampleVersions } from '../sample/versions.ts';
import { askTable } from '../study-table/ask.ts';
import { figure } from '../study-table/figure.ts';
import { cancelRunUpdate, unfinishedRun } from './cancel.ts';
import { type AnalysisRunRecord, AnalysisRuns, filtersOf } from './model.ts';
import { ESTIMATORS, type RunCreate, type RunRequest } from './schema.ts';

/** Waiting or running, of one person. */
const MAX_OF_ONE = 5;
/** Counts start theirs by themselves; so many at the most wait of one person. */
const MAX_OF_COUNTS = 50;

/**
 * Whole, and about what there is: 400 otherwise, also for an outcome that is not of the kind that is wanted. `zone` is
 * the study's.
 */
export async function requestOf(
  body: RunCreate,
  zone: string,
  requiredKind?: 'CATEGORY',
): Promise<RunRequest> {
  const { outcome, method, estimator = ESTIMATORS[method][0], samples, confidence } = body;
  const { location = null, from = null, to = null, questionnaire = null, randomSeed = null } = body;
  const requested = await requestedRound(body.round).catch(asFieldProblem);
  const settings = settingsOfRound(await loadStudy(), requested);
  const { ref: round } = requested;
  const versions = await versionsAsked(questionnaire, settings.approvedFormulas, round);
  const catalogue = catalogueOf(versions, settings);
  const spec = catalogue.find(({ name }) => name === outcome);
  if (outcome !== null && !spec) throw fieldProblem('outcome', 'NO_OUTCOME');
  const filters = { location, from, to, questionnaire, round: round.id };
  if (spec) await refuseDiffering(spec, versions, filters, { zone, round });
  if (requiredKind && spec?.kind !== requiredKind) throw fieldProblem('outcome', 'NOT_A_CATEGORY');
  if ((method === 'GILE' || method === 'SALGANIK') && spec?.kind === 'NUMBER')
    throw fieldProblem('method', 'NOT_A_CATEGORY');
  if (location !== null && !(await Locations.exists({ _id: new mongoose.Types.ObjectId(location) })))
    throw fieldProblem('location', 'NO_LOCATION');
  const populationSize = body.populationSize ?? (estimator === 'SS' ? settings.populationSize : null);
  if (estimator === 'SS' && populationSize === null) throw fieldProblem('populationSize', 'MISSING');
  return { outcome, method, estimator, samples, confidence, randomSeed, populationSize, ...filters };
}

/** In a body it is a field. */
export function asFieldProblem(error: unknown): never {
  if (error instanceof Problem && error.name === 'INVALID_QUERY')
    throw fieldProblem('round', 'UNKNOWN_ROUND');
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
      throw fieldProblem('questionnaire', 'NO_QUESTIONNAIRE');
    throw error;
  }
}

type Filters = Pick<RunRequest, 'location' | 'from' | 'to' | 'questionnaire'>;

/** As the estimates refuse it: a question that was of another kind in a version that people of the sample answered. */
async function refuseDiffering(
  { kind, source }: OutcomeSpec,
  versions: SampleVersions,
  { location, from, to, questionnaire }: Filters,
  { zone, round }: { zone: string; round: RoundReference },
): Promise<void> {
  // A version that is named stands alone.
  if (source.from !== 'ANSWER' || questionnaire !== null) return;
  const expectedKind = wantedKind(source, kind);
  const elsewhere: string[] = [];
  // Of a questionnaire of another name too: its answers to a question of this name are counted with the others.
  const window = { location: location ?? undefined, from: from ?? undefined, to: to ?? undefined };
  for (const id of await askTable(versionsFigure, { window, zone, round })) {
    const version = versions.get(id);
    if (version && (version.countables.get(source.key)?.kind ?? expectedKind) !== expectedKind)
      elsewhere.push(version.label);
  }
  if (elsewhere.length === 0) return;
  throw fieldProblem('outcome', 'OTHER_OUTCOME', {
    here: versions.leading?.label ?? 'one',
    elsewhere: elsewhere.sort().join(', '),
  });
}

export const versionsFigure = figure(
  'versions answered',
  (
    { interviews },
    { window, zone }: Pick<SampleWish, 'window' | 'zone'> & { round: RoundReference },
  ): string[] => {
    const codes = new Set<number>();
    for (const row of rowsWithin(interviews, window, zone)) codes.add(interviews.version.codes[row]!);
    return [...codes].map((code) => interviews.version.values[code]!);
  },
);

interface RunAuthor {
  /** Null for the night. */
  by: Types.ObjectId | null;
  now: Date;
  /** It belongs to a count, and is kept with it. */
  isKept?: boolean;
  night?: string;
}

/** In the transaction of whoever asks; `announce` it once that is through. 429 for one person's sixth. */
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
    filters: filtersOf(request),
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
  await AnalysisRuns.collection.insertOne(run, { session });
  return run;
}

/** Its count is no longer made of it: it ends where it is still under way, and is kept no longer than others. */
export async function releaseRun(session: ClientSession, _id: Types.ObjectId, now: Date): Promise<void> {
  await AnalysisRuns.collection.updateOne({ _id }, { $set: { isKept: false } }, { session });
  await AnalysisRuns.collection.updateOne(unfinishedRun(_id), cancelRunUpdate(now), { session });
}

async function limit(session: ClientSession, by: Types.ObjectId, isKept: boolean): Promise<void> {
  await lockInTransaction(session, `analysis runs of ${by}`);
  const open = { createdBy: by, isKept, state: { $in: ['WAITING', 'RUNNING'] as const } };
  const most = isKept ? MAX_OF_COUNTS : MAX_OF_ONE;
  if ((await AnalysisRuns.countDocuments(open).session(session)) < most) return;
  throw problem('RATE_LIMITED', {
    message: `${most} of your runs are waiting or running. Wait for one of them, or cancel it.`,
    headers: { 'Retry-After': '60' },
  });
}
