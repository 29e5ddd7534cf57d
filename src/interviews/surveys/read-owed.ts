/**
 * Reads what determines what people are owed (incentives/owed.ts): their interviews, their recruits' interviews, and
 * their incentives.
 */

import type { ClientSession, Types } from 'mongoose';
import { lockInTransaction } from '../../platform/db/transaction.ts';
import { incentiveSettingsAt } from '../../study/settings/incentives.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { IncentiveModel, type IncentiveRecord } from '../incentives/model.ts';
import type { InterviewForIncentives, OwedInput } from '../incentives/owed.ts';
import { isSurveyInSample } from './counted-interviews.ts';
import { interviewEnd } from './interview-times.ts';
import { SurveyModel, type SurveyRecord } from './model.ts';

const FIELDS = {
  status: 1,
  takesPart: 1,
  deletedAt: 1,
  recruiter: 1,
  startedAt: 1,
  completedAt: 1,
  heldAt: 1,
  createdAt: 1,
  location: 1,
  round: 1,
  flags: 1,
} as const;
type SettledSurvey = Pick<SurveyRecord, '_id' | keyof typeof FIELDS>;

/** Whether the interview earns an incentive for the person and for the recruiter. */
export const earnsIncentive = (
  survey: Pick<SurveyRecord, 'status' | 'takesPart' | 'flags' | 'deletedAt'>,
): boolean => isSurveyInSample(survey) && !survey.deletedAt;

/** When it was completed, or arrived if the clock was wrong. Determines which settings apply. */
export const completionTime = (survey: Omit<SettledSurvey, '_id' | 'recruiter'>) => interviewEnd(survey);

export const toIncentiveInterview = (survey: SettledSurvey): InterviewForIncentives => ({
  _id: survey._id,
  counts: earnsIncentive(survey),
  at: completionTime(survey),
  location: survey.location,
  round: survey.round,
});

/**
 * Two recruits of the same person that arrive at the same time wouldn't see each other and could both get the last
 * place. Locks are named by the end of the id, so there are at most 65,536.
 */
export const lockIncentivesOfPeople = (session: ClientSession, ids: Types.ObjectId[]): Promise<void> =>
  lockInTransaction(session, ...ids.map((id) => `incentives ${id.toHexString().slice(-4)}`));

/** The input of `changedIncentives` for each of these people. */
export async function readOwedInputs(
  session: ClientSession,
  study: StudyRecord,
  ids: Types.ObjectId[],
  now: Date,
): Promise<OwedInput[]> {
  const surveys = await SurveyModel.collection
    .aggregate<SettledSurvey & { incentives: IncentiveRecord[] }>(
      [
        { $match: { $or: [{ _id: { $in: ids } }, { recruiter: { $in: ids } }] } },
        { $project: { ...FIELDS, review: 1 } },
        {
          $lookup: {
            from: IncentiveModel.collection.name,
            localField: '_id',
            foreignField: 'survey',
            as: 'incentives',
          },
        },
      ],
      { session },
    )
    .toArray();
  surveys.sort(
    (a, b) => +a.createdAt - +b.createdAt || a._id.toHexString().localeCompare(b._id.toHexString()),
  );
  return surveys
    .filter(({ _id }) => ids.some((id) => id.equals(_id)))
    .map((survey) => ({
      survey: toIncentiveInterview(survey),
      recruits: surveys.filter(({ recruiter }) => recruiter?.equals(survey._id)).map(toIncentiveInterview),
      incentives: survey.incentives,
      settingsAt: (at) => incentiveSettingsAt(study, at),
      now,
    }));
}
