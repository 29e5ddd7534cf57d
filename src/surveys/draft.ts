/** What was sent, as a survey that is not stored yet; 400 where it can't be one, whoever sent it. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { fieldProblem, problem } from '../http/problem.ts';
import { requireLocation } from '../locations/model.ts';
import { derivedFrom } from '../questionnaires/derived.ts';
import { requireQuestionnaire } from '../questionnaires/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { findCode } from '../referral-codes/model.ts';
import { study as readStudy, type StudyRecord } from '../study/model.ts';
import { heldAtEnd, requireAnswers } from './answers.ts';
import { timesOf } from './clock.ts';
import { type Hashes, hashesOf, keptAnswers } from './clues.ts';
import { flag, type SurveyRecord } from './model.ts';
import type { Brought } from './redeem.ts';
import { hashOf } from './replay.ts';
import type { SurveyCreate } from './schema.ts';
import type { Sender } from './sender.ts';

export interface Asked {
  /** Without its place in the tree and its coupons. */
  draft: SurveyRecord;
  /** Null for a walk-in; an empty text is a wrong code. */
  brought: Brought | null;
  study: StudyRecord;
  /** Of its identity clues, which are in nothing that is stored; null where there are none. */
  hashes: Hashes | null;
}

export async function draftOf({ owner, now, zone, identityKey }: Sender, body: SurveyCreate): Promise<Asked> {
  const text = body.referralCode ?? null;
  const code = text === null ? null : parseCode(text);
  const [location, questionnaire, study, stored] = await Promise.all([
    requireLocation(body.location),
    requireQuestionnaire(body.questionnaire),
    readStudy(),
    code === null ? null : findCode(code),
  ]);
  if (body.status === 'IN_PROGRESS' && body.completedAt) {
    throw fieldProblem('completedAt', 'NO_END_YET');
  }
  const { isClockOdd, ...times } = timesOf(body, now);
  const held = { at: heldAtEnd(times), zone };
  const responses = await requireAnswers(questionnaire, body.status, body.responses, held);
  // What is no code at all is a fault of the request's shape: told before anything is asked about rights.
  if (text !== null && code === null && body.onCodeProblem === 'REJECT')
    throw problem('REFERRAL_CODE_MALFORMED');

  const draft: SurveyRecord = {
    _id: new mongoose.Types.ObjectId(),
    clientId: body.clientId ?? randomUUID(),
    referralCode: null,
    seed: null,
    recruiter: null,
    wave: null,
    issuedCodes: [],
    questionnaire: questionnaire._id,
    responses: keptAnswers(questionnaire, responses),
    status: body.status,
    ...derivedFrom(questionnaire, { status: body.status, responses }, body.takesPart !== false),
    flags: isClockOdd ? [flag('CLOCK_ODD', null, now)] : [],
    coordinates: body.coordinates ?? null,
    location,
    createdBy: owner,
    ...times,
    updatedAt: now,
    version: 1,
    requestHash: hashOf(body, questionnaire),
    deletedAt: null,
  };
  const hashes = hashesOf(questionnaire, body.responses, identityKey);
  return { draft, study, hashes, brought: text === null ? null : { text, code, stored } };
}
