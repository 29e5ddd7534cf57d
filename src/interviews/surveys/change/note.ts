/** The interviewer's note for reviewers. Never in a list, export, copy or audit event. */
import { asSubject } from '../../../platform/rights/ability.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import type { SurveyRecord } from '../model.ts';

/** The interviewer, and people who may review the survey. */
export const mayReadNote = ({ user, ability }: Actor, survey: SurveyRecord): boolean =>
  user._id.equals(survey.createdBy) || ability.can('review', asSubject('Survey', survey));

/** The survey as this caller may see it. */
export function hideNoteFromReader<S extends SurveyRecord>(actor: Actor, survey: S): S {
  if (survey.note === undefined || mayReadNote(actor, survey)) return survey;
  const { note: _, ...rest } = survey;
  return rest as S;
}

/** The audit entry for a change: only that it changed, without the text. */
export function interviewerNoteChanges(before: SurveyRecord, after: SurveyRecord) {
  if (before.note === after.note) return [];
  return [{ path: 'note', before: null, after: 'CHANGED' }];
}
