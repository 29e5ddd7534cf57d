/** Dismisses a finding that somebody has checked. It reappears if its value changes. */
import mongoose from 'mongoose';
import { SurveyModel } from '../../interviews/surveys/model.ts';
import { DISMISSED_REPEAT_AUDIT_PATH } from '../../interviews/surveys/repeats/repeat-detection.ts';
import { DismissalModel } from '../../interviews/surveys/review/dismissals.ts';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { parseId } from '../../platform/rights/guard.ts';
import type { Finding } from './finding.ts';
import { findVisibleFinding, visibleFindings } from './list.ts';

export async function dismissFinding(actor: Actor, id: string, comment: string) {
  const finding = await findVisibleFinding(actor, parseId(id).toHexString());
  if (!finding) throw problem('NOT_FOUND');
  await store(actor, finding, comment);
  const [visibleFinding] = await visibleFindings(actor, [finding]);
  return visibleFinding;
}

async function store(actor: Actor, { id, check, value, ...about }: Finding, comment: string): Promise<void> {
  const { by, now, deadline } = authorFromActor(actor);
  const survey = about.survey ? new mongoose.Types.ObjectId(about.survey) : null;
  const event = survey
    ? ({ subject: 'Survey', record: survey } as const)
    : ({ subject: 'User', record: new mongoose.Types.ObjectId(about.interviewer) } as const);
  const location = new mongoose.Types.ObjectId(about.location);
  const path = check === 'POSSIBLE_REPEAT' ? DISMISSED_REPEAT_AUDIT_PATH : 'finding';
  const changes = [{ path, before: null, after: check }];
  await inTransaction(async (session) => {
    // Conflicts with erasing the survey at the same time, so that one of them runs again. Comments do the same.
    if (survey)
      await SurveyModel.collection.updateOne({ _id: survey }, { $inc: { commentsAdded: 1 } }, { session });
    await DismissalModel.collection.updateOne(
      { _id: new mongoose.Types.ObjectId(id) },
      { $set: { check, survey, value, by, comment, createdAt: now } },
      { session, upsert: true },
    );
    await audit(session, { by, now }, { ...event, action: 'update', location, changes, reason: comment });
  }, deadline);
}
