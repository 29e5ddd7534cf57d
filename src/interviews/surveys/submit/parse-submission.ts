/** Turns a request into a survey that is not stored yet, or throws 400. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { parseCode } from '../../../coupons/referral-codes/code.ts';
import { findCode } from '../../../coupons/referral-codes/model.ts';
import { invalidFieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { requireQuestionnaire } from '../../../questionnaires/model.ts';
import { deriveSurveyFields } from '../../../questionnaires/network-size.ts';
import { requireExistingLocation } from '../../../study/locations/model.ts';
import { loadRounds, type RoundWithoutSettings } from '../../../study/rounds/model.ts';
import { roundAt } from '../../../study/rounds/spans.ts';
import { loadStudy, type StudyRecord } from '../../../study/settings/model.ts';
import type { ContactRecord } from '../../contacts/model.ts';
import { newContact, parseContact } from '../../contacts/store.ts';
import { requireValidAnswers } from '../answers.ts';
import { possibleStartsOfCoupon } from '../dates-by-coupon.ts';
import {
  correctedInterviewTimes,
  earliestPossibleStart,
  interviewEnd,
  isClockOdd,
} from '../interview-times.ts';
import { newFlag, type SurveyRecord } from '../model.ts';
import { hashIdentityAnswers, type IdentityHashes } from '../repeats/identity-hashes.ts';
import type { SurveyCreate } from '../schema.ts';
import { statusHashFieldsOf } from '../status-hash.ts';
import type { PresentedCoupon } from './redeem-coupon.ts';
import { hashRequest } from './replay.ts';
import type { SubmissionAuthor } from './submission-author.ts';

export interface ParsedSubmission {
  /** Without its place in the tree and its coupons; the round is by date for now. */
  draft: SurveyRecord;
  /** Null for a walk-in. An empty text is not a walk-in but a malformed code. */
  coupon: PresentedCoupon | null;
  /** A reserved code for a walk-in's seed; null to create a new one. */
  walkInCode: PresentedCoupon | null;
  study: StudyRecord;
  rounds: RoundWithoutSettings[];
  /** Hashes of the identity answers, which aren't stored themselves; null if there are none. */
  hashes: IdentityHashes | null;
  /** Null if the person didn't agree to be texted, or can't be texted. */
  contact: ContactRecord | null;
}

export async function parseSubmission(
  { owner, ownerSince, by, isImport, now, deadline, zone, config }: SubmissionAuthor,
  body: SurveyCreate,
): Promise<ParsedSubmission> {
  const text = body.referralCode ?? body.walkInCode ?? null;
  const code = text === null ? null : parseCode(text);
  const isWalkIn = typeof body.referralCode !== 'string';
  const _id = new mongoose.Types.ObjectId();
  const hasContact = body.contact !== undefined && body.contact !== null;
  const parsedContact = hasContact ? parseContact(body.contact, config) : null;
  const [location, questionnaire, study, rounds, stored, preparedContact] = await Promise.all([
    requireExistingLocation(body.location),
    requireQuestionnaire(body.questionnaire),
    loadStudy(),
    loadRounds(),
    code === null ? null : findCode(code),
    parsedContact && newContact(_id, parsedContact, { contactKey: config.contactKey, now }),
  ]);
  if (body.status === 'IN_PROGRESS' && body.completedAt) {
    throw invalidFieldProblem('completedAt', 'NO_END_YET');
  }
  if (body.status === 'IN_PROGRESS' && body.incentive)
    throw invalidFieldProblem('incentive', 'INCENTIVE_TOO_EARLY');
  if (!isWalkIn && body.walkInCode !== undefined) throw invalidFieldProblem('walkInCode', 'CODE_AND_WALK_IN');
  const possible = earliestPossibleStart(now, [
    ...(isWalkIn ? [] : possibleStartsOfCoupon(stored)),
    questionnaire.createdAt,
    ownerSince,
    study.createdAt,
  ]);
  const times = correctedInterviewTimes(body, now, possible);
  const isOdd = isClockOdd(times);
  const came = isWalkIn ? ('no' as const) : ('yes' as const);
  // The form used the device's date.
  const again = isOdd ? { again: times.completedAt ?? times.startedAt } : {};
  const interviewContext = { at: interviewEnd(times), ...again, zone, came, by: by?.toHexString() };
  const responses = await requireValidAnswers(
    questionnaire,
    body.status,
    body.responses,
    interviewContext,
    deadline,
  );
  // Malformed codes are refused before the permission check, like all malformed fields.
  if (!isWalkIn && code === null && body.onCodeProblem === 'REJECT') throw problem('REFERRAL_CODE_MALFORMED');

  const contact = study.contacts === 'SMS' ? preparedContact : null;
  const { flags: ofStatus, ...status } = statusHashFieldsOf(body.statusHash, now);

  const draft: SurveyRecord = {
    _id,
    clientId: body.clientId ?? randomUUID(),
    referralCode: null,
    seed: null,
    recruiter: null,
    wave: null,
    issuedCodes: [],
    questionnaire: questionnaire._id,
    responses,
    status: body.status,
    ...deriveSurveyFields(questionnaire, { status: body.status, responses }, body.takesPart !== false),
    flags: [
      ...(isOdd ? [newFlag('CLOCK_ODD', null, now)] : []),
      ...(isImport ? [{ ...newFlag('IMPORTED', null, now), by }] : []),
      ...(hasContact && !contact ? [newFlag('CONTACT_REFUSED', null, now)] : []),
      ...ofStatus,
    ],
    coordinates: body.coordinates ?? null,
    location,
    round: roundAt(rounds, times.heldAt).round,
    createdBy: owner,
    ...(isImport ? { importedAt: now, importedBy: by } : {}),
    ...times,
    ...(body.note === undefined ? {} : { note: body.note }),
    ...status,
    updatedAt: now,
    version: 1,
    requestHash: hashRequest(body, questionnaire),
    deletedAt: null,
  };
  const hashes = hashIdentityAnswers(questionnaire, body.responses, config.identityKey);
  const presented = text === null ? null : { text, code, stored };
  return {
    ...{ draft, study, rounds, hashes, contact },
    coupon: isWalkIn ? null : presented,
    walkInCode: isWalkIn ? presented : null,
  };
}
