/** Checks whether a change to a survey is allowed, by the author's rights and the survey's state. */

import mongoose, { type ClientSession } from 'mongoose';
import { parseCode } from '../../../coupons/referral-codes/code.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { asSubject } from '../../../platform/rights/ability.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { findRecord, requireMayChange, requireRight } from '../../../platform/rights/guard.ts';
import { loadRounds } from '../../../study/rounds/model.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { maySeeRepeat } from '../repeats/repeat-detection.ts';
import { requireMayCorrectAnswers } from '../review/review-rules.ts';
import type { FlagCode, SurveyPatch } from '../schema.ts';
import { mayReadNote } from './note.ts';

/** Flags that only reviewers of the survey may clear. */
const FLAGS_OF_REVIEWERS: readonly FlagCode[] = [
  'POSSIBLE_REPEAT',
  'INCENTIVE_NOT_DUE',
  'IMPORTED',
  'NO_ROUND',
];

/** Loads the survey and checks that this change is allowed. */
export async function loadForChange(
  actor: Actor,
  id: string,
  body: SurveyPatch,
  session: ClientSession | null = null,
) {
  const before = await findRecord(SurveyModel, id, session);
  if (actor.isSendToken && !before.createdBy.equals(actor.user._id)) throw problem('FORBIDDEN');
  const { location, ...others } = body;
  if (location !== undefined) requireMayMove(actor, before, location);
  const isMoveAlone = Object.entries(others).every(
    ([name, value]) => name === 'reason' || value === undefined,
  );
  if (location === undefined || !isMoveAlone) requireRight(actor, 'update', 'Survey', before);
  const { clearFlags, reason: _, incentive, statusHash, ...fields } = others;
  const isForReviewer = clearFlags?.some((one) => FLAGS_OF_REVIEWERS.includes(one));
  if (isForReviewer && !maySeeRepeat(actor, before)) throw problem('FORBIDDEN');
  if (fields.note !== undefined && !mayReadNote(actor, before)) throw problem('FORBIDDEN');
  requireMayChange(actor, 'Survey', before, { ...fields, ...(clearFlags ? { flags: [] } : {}) });
  parseCodeInPatch(body);
  requireNotErased(before, body);
  if (!isLateArrival(before, body)) await requireOpenRoundOf(actor, before, session);
  if (body.responses) requireMayCorrectAnswers(actor, before);
  if (incentive && !isCompletingChange(before, body))
    throw invalidFieldProblem('incentive', 'INCENTIVE_TOO_EARLY');
  if (statusHash !== undefined && !isCompletingChange(before, body))
    throw invalidFieldProblem('statusHash', 'STATUS_TOO_EARLY');
  return before;
}

/**
 * Whether this is what a phone sends late after being offline: the end of the interview, coupons that were handed out,
 * and flags.
 */
function isLateArrival({ status }: SurveyRecord, body: SurveyPatch): boolean {
  const { issuedCodes: _, clearFlags: __, reason: ___, ...others } = body;
  return status === 'IN_PROGRESS' || Object.values(others).every((value) => value === undefined);
}

/** Once a round is closed, only reviewers may change its interviews. */
async function requireOpenRoundOf(actor: Actor, survey: SurveyRecord, session: ClientSession | null) {
  if (actor.ability.can('review', asSubject('Survey', survey))) return;
  const round = (await loadRounds(session)).find(({ _id }) => _id.equals(survey.round));
  if (round?.state === 'CLOSED') throw problem('ROUND_CLOSED');
}

/** Requires the right to update the survey at both sites or, on any day open to the reviewer, to review it at both. */
function requireMayMove(actor: Actor, before: SurveyRecord, location: string): void {
  const after = { ...before, location: new mongoose.Types.ObjectId(location) };
  const may = (action: 'update' | 'review') =>
    [before, after].every((one) => actor.ability.can(action, asSubject('Survey', one)));
  if (!may('update') && !may('review')) throw problem('FORBIDDEN');
}

/** Refuses changes that need the erased answers, or would store new ones. */
function requireNotErased({ erasedAt }: SurveyRecord, body: SurveyPatch): void {
  const { responses, status, takesPart, coordinates, note, contact } = body;
  const changed = [responses, status, takesPart, coordinates, note, contact ?? undefined];
  const isLeftAlone = changed.every((one) => one === undefined);
  if (erasedAt && !isLeftAlone) throw problem('INVALID_TRANSITION', { why: fault('SURVEY_ERASED') });
}

export function requireValidTransition(before: SurveyRecord, body: SurveyPatch): void {
  if (before.status === 'COMPLETED' && body.status === 'IN_PROGRESS') {
    throw problem('INVALID_TRANSITION', { why: fault('SURVEY_COMPLETED') });
  }
  if (before.referralCode !== null && body.referralCode !== undefined) {
    throw problem('INVALID_TRANSITION', { why: fault('SURVEY_HAS_CODE') });
  }
}

export const isCompletingChange = (before: SurveyRecord, body: SurveyPatch) =>
  before.status === 'IN_PROGRESS' && body.status === 'COMPLETED';

/** The normalized code; null if the change has none. */
export function parseCodeInPatch({ referralCode }: SurveyPatch): string | null {
  if (referralCode === undefined) return null;
  const code = parseCode(referralCode);
  if (!code) throw problem('REFERRAL_CODE_MALFORMED');
  return code;
}
