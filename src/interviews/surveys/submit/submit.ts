/**
 * Stores an interview, once per clientId, with its place in the recruitment tree and its coupons, in one transaction.
 * With FLAG, a problem with a code doesn't prevent storing a completed interview.
 */
import { inTransactionUntilUnique } from '../../../coupons/referral-codes/issue.ts';
import { isDatabaseUnavailable } from '../../../platform/http/problems/errors.ts';
import { codesRedeemed, surveyDeliveryDelay, surveysStoredCounter } from '../../../platform/lib/metrics.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { requireRightToCreate } from '../../../platform/rights/guard.ts';
import { loadRounds } from '../../../study/rounds/model.ts';
import { ContactModel, type ContactRecord } from '../../contacts/model.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { linkRecruits } from '../recruitment-tree.ts';
import { detectRepeat } from '../repeats/repeat-detection.ts';
import type { SurveyCreate } from '../schema.ts';
import { recordIncentiveHandOver, updateOwedIncentives } from '../settle-incentives.ts';
import { dropTakenStatusHash } from '../status-hash.ts';
import { assignCodes } from './hand-out.ts';
import { parseSubmission } from './parse-submission.ts';
import { resolveRecruitment } from './redeem-coupon.ts';
import { findReplay } from './replay.ts';
import type { SubmissionAuthor, SurveyStorageConfig } from './submission-author.ts';

export interface SubmitResult {
  created: boolean;
  survey: SurveyRecord;
  /** How the person can be texted, if the interview was just created with a contact. */
  contact: ContactRecord | null;
}

export async function storeSubmittedSurvey(
  actor: Actor,
  body: SurveyCreate,
  config: SurveyStorageConfig,
): Promise<SubmitResult> {
  const { _id, createdAt } = actor.user;
  const mayStore = (draft: SurveyRecord) => requireRightToCreate(actor, 'Survey', draft);
  return await storeOnce(
    {
      owner: _id,
      ownerSince: createdAt,
      by: _id,
      now: actor.now,
      deadline: actor.deadline,
      zone: actor.zone,
      config,
      mayStore,
      // It is the caller's own interview: the phone must learn that it is stored, regardless of day and site.
      mayReplay: () => {},
    },
    body,
  );
}

/**
 * Doesn't look up the clientId first, because most interviews are sent once. If the interview is already stored, the
 * unique index (or an earlier check) refuses the second one, and the stored survey is returned.
 */
export async function storeOnce(sender: SubmissionAuthor, body: SurveyCreate): Promise<SubmitResult> {
  try {
    const created = await dropTakenStatusHash(body.statusHash, (statusHash) =>
      store(sender, { ...body, statusHash }),
    );
    countStored(created.survey);
    return { created: true, ...created };
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const replay = await findReplay(sender, body);
    if (!replay) throw error;
    surveysStoredCounter.inc({ outcome: 'replay' });
    return { created: false, survey: replay, contact: null };
  }
}

function countStored({ flags, referralCode, createdAt, completedAt }: SurveyRecord): void {
  surveysStoredCounter.inc({ outcome: flags.length > 0 ? 'flagged' : 'new' });
  if (referralCode) codesRedeemed.inc();
  // A phone's clock may be ahead.
  if (completedAt)
    surveyDeliveryDelay.observe(Math.max(0, createdAt.getTime() - completedAt.getTime()) / 1000);
}

/** Throws 400 for the content, 403 for missing permissions, 404 or 409 for codes; otherwise stores everything. */
async function store(sender: SubmissionAuthor, body: SurveyCreate): Promise<Omit<SubmitResult, 'created'>> {
  const { draft, coupon, walkInCode, study, hashes, contact, ...parsed } = await parseSubmission(
    sender,
    body,
  );
  sender.mayStore(draft);
  const { by, now } = sender;
  // Runs again after a conflict, so it must not change the draft.
  return await inTransactionUntilUnique(async (session, isFirst) => {
    const rounds = isFirst ? parsed.rounds : await loadRounds(session);
    const options = { ...body, isFirst, rounds };
    const origin = await resolveRecruitment(session, draft, { coupon, walkInCode }, options);
    const { place, round, heldAt = draft.heldAt } = origin;
    const flaggedDraft = { ...draft, flags: [...draft.flags, ...origin.flags] };
    const handed =
      body.incentive && recordIncentiveHandOver(flaggedDraft, body.incentive, { study, now, by });
    const flags = [...draft.flags, ...(handed?.flags ?? []), ...origin.flags];
    const placed = { ...draft, ...place, round, heldAt, flags };
    const assignment = await assignCodes(session, placed, body, { study, ...origin });
    const survey: SurveyRecord = {
      ...placed,
      issuedCodes: assignment.codes,
      flags: [...placed.flags, ...assignment.flags],
    };
    if (hashes) {
      const { repeat } = await detectRepeat(session, survey, {
        ...{ hashes, counted: false, isNew: true, now, study },
      });
      if (repeat) survey.repeat = repeat;
    }
    await SurveyModel.collection.insertOne(survey, { session });
    if (contact) await ContactModel.collection.insertOne(contact, { session });
    const judged = await linkRecruits(session, survey, assignment.recruits, { by, now });
    const { _id: record, location } = survey;
    await updateOwedIncentives(
      session,
      study,
      [record, survey.recruiter, ...judged],
      { by, now },
      {
        paid: handed?.paid,
        isNew: assignment.recruits.length === 0 ? survey : undefined,
        recruiterSite: coupon?.stored?.location,
        events: [{ action: 'create', subject: 'Survey', record, location }],
      },
    );
    return { survey, contact };
  }, sender.deadline);
}
