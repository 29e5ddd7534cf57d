import type { ClientSession } from 'mongoose';
import { audit, changesOf } from '../../platform/audit/model.ts';
import { inTransaction, retryUntilUnchanged } from '../../platform/db/transaction.ts';
import { fault, fieldError } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { isDeepEqual } from '../../platform/lib/objects/deep-equal.ts';
import { definedFields } from '../../platform/lib/objects/defined-fields.ts';
import { isRecordId } from '../../platform/lib/record-id.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { LocationModel } from '../locations/model.ts';
import { clearStudyCache } from './cached-study.ts';
import { loadStudy, STUDY_ID, StudyModel, type StudyRecord } from './model.ts';
import type { StudyPatch } from './schema.ts';

function requireConsistent(after: StudyRecord): void {
  if (after.dueFrom && after.dueTo && after.dueFrom > after.dueTo)
    throw invalidFieldProblem('dueTo', 'DAYS_REVERSED');
  const { populationSizeLow: low, populationSize: size, populationSizeHigh: high } = after;
  const isAbove = (one: number | null, other: number | null) => one !== null && other !== null && one > other;
  if (isAbove(low, size) || isAbove(low, high))
    throw invalidFieldProblem('populationSizeLow', 'SIZES_REVERSED');
  if (isAbove(size, high)) throw invalidFieldProblem('populationSizeHigh', 'SIZES_REVERSED');
}

/**
 * 400 for each site that never existed; a closed site keeps its interviews, so it is allowed. Not checked if sites are
 * answers to a question.
 */
async function requireSites({ siteQuestion, siteSizes }: StudyRecord): Promise<void> {
  if (siteQuestion !== null) return;
  const ids = siteSizes.map(({ location }) => location).filter(isRecordId);
  const sites = new Set((await LocationModel.distinct('_id', { _id: { $in: ids } })).map(String));
  const errors = siteSizes.flatMap(({ location }, at) =>
    sites.has(location) ? [] : [fieldError(`siteSizes.${at}.location`, 'NO_LOCATION')],
  );
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors });
}

/**
 * Throws if the outcomes can't be calculated, otherwise returns the fields to store with them. Passed in, because it
 * reads interviews, which this folder must not import.
 */
export type CheckOutcomes = (
  after: StudyRecord,
  before: StudyRecord,
  now: Date,
) => Promise<Pick<StudyRecord, 'approvedFormulas'>>;

/** Maximum number of former settings. The oldest one also applies to all interviews completed before it. */
const MAX_EARLIER = 200;

/** Changes are audited. Coupons that were handed out keep their dates. */
export async function updateStudy(
  body: StudyPatch,
  { by, now, deadline }: Author,
  checkOutcomes: CheckOutcomes,
  /** Throws if the caller lacks permission. */
  allow: (before: StudyRecord) => void = () => {},
): Promise<StudyRecord> {
  const changes = definedFields(body);
  const record = await retryUntilUnchanged(async () => {
    const current = await loadStudy();
    allow(current);
    requireConsistent({ ...current, ...changes });
    if (body.siteSizes) await requireSites({ ...current, ...changes });
    // Outside the transaction, because the check reads questionnaires and interviews.
    const derived = body.outcomes ? await checkOutcomes({ ...current, ...changes }, current, now) : {};
    return await inTransaction(async (session) => {
      const before = await loadStudy(session);
      // Another change replaced the outcomes after they were checked, so try again.
      if (body.outcomes && !isDeepEqual(before.outcomes, current.outcomes)) return null;
      allow(before);
      return await storeStudy(session, before, { ...changes, ...derived }, { by, now });
    }, deadline);
  });
  clearStudyCache();
  return record;
}

export async function storeStudy(
  session: ClientSession,
  before: StudyRecord,
  update: Partial<StudyRecord>,
  { by, now }: Author,
): Promise<StudyRecord> {
  const after: StudyRecord = { ...before, ...update };
  requireConsistent(after);
  const changes = changesOf(before, after);
  if (changes.length === 0) return before;
  if (changes.some(({ path }) => path === 'incentives')) {
    const { incentiveCurrency, incentives: settings } = before;
    if (incentiveCurrency !== null && after.incentives.currency !== incentiveCurrency)
      throw problem('INVALID_TRANSITION', {
        why: fault('CURRENCY_IN_USE', { currency: incentiveCurrency }),
      });
    after.earlierIncentives = [...before.earlierIncentives, { until: now, settings }].slice(-MAX_EARLIER);
  }
  after.updatedAt = now;
  const { _id, createdAt, ...fields } = after;
  await StudyModel.collection.updateOne(
    { _id: STUDY_ID },
    { $set: fields, $setOnInsert: { createdAt: now } },
    { session, upsert: true },
  );
  await audit(session, { by, now }, { action: 'update', subject: 'Study', record: STUDY_ID, changes });
  return { ...after, createdAt };
}
