import type { IncentiveRecord } from '../../src/interviews/incentives/model.ts';
import { isUndeletedInSample } from '../../src/interviews/surveys/counted-interviews.ts';
import { interviewEnd } from '../../src/interviews/surveys/interview-times.ts';
import type { SurveyRecord } from '../../src/interviews/surveys/model.ts';
import { incentiveSettingsAt } from '../../src/study/settings/incentives.ts';
import { loadStudy } from '../../src/study/settings/model.ts';
import type { Body } from '../make.ts';
import { collection } from './kit.ts';

/** Compares stored incentives with the tree, independently of the service. */
export async function checkIncentives(): Promise<void> {
  const study = await loadStudy();
  const surveys = (await collection('surveys')
    .find()
    .sort({ createdAt: 1, _id: 1 })
    .toArray()) as SurveyRecord[];
  const all = (await collection('incentives').find().toArray()) as IncentiveRecord[];
  const wrong: string[] = [];
  const check = (isRight: boolean, what: string, about: object) => {
    if (!isRight) wrong.push(`${what}: ${JSON.stringify(about)}`);
  };
  const byId = new Map(surveys.map((one) => [String(one._id), one]));
  for (const survey of surveys) {
    const mine = all.filter((one) => one.survey.equals(survey._id));
    const own = mine.filter(({ kind }) => kind === 'INTERVIEW');
    check(own.length <= 1, 'one INTERVIEW', own);
    const [interview] = own;
    const amount = incentiveSettingsAt(study, interviewEnd(survey)).interview;
    const isSettled = interview?.state === 'PAID' || interview?.byHand;
    if (isUndeletedInSample(survey))
      check(interview ? isSettled || interview.state === 'DUE' : amount === null, 'owed', survey);
    else check(!interview || isSettled || interview.state === 'WITHDRAWN', 'not owed', interview ?? {});

    const ofRecruits = mine.filter(({ kind }) => kind === 'RECRUIT');
    for (const one of ofRecruits) {
      const who = byId.get(String(one.recruit)) as SurveyRecord;
      check(who.recruiter?.equals(survey._id) ?? false, 'for its recruit', one);
      if (one.state === 'DUE') check(isUndeletedInSample(who), 'the recruit counts', one);
    }
    const places = ofRecruits.filter(({ state, byHand }) => state !== 'WITHDRAWN' || byHand).length;
    for (const who of surveys.filter(
      (one) => one.recruiter?.equals(survey._id) && isUndeletedInSample(one),
    )) {
      const incentive = ofRecruits.find((one) => one.recruit?.equals(who._id));
      if (incentive && (incentive.state !== 'WITHDRAWN' || incentive.byHand)) continue;
      const { recruit, recruitLimit } = incentiveSettingsAt(study, interviewEnd(who));
      const isFull = recruitLimit !== null && places >= recruitLimit;
      check(isFull || (!incentive && recruit === null), 'a place for each', { who, ofRecruits });
    }
  }
  for (const one of all) {
    // Each state follows from the one before: nothing is paid twice.
    // Ids of several processes are in no order.
    const ofOne = collection('auditevents').find({ record: one._id });
    const events = await ofOne.sort({ createdAt: 1, _id: 1 }).toArray();
    const states = events.flatMap(({ changes }) => changes.filter((each: Body) => each.path === 'state'));
    const first = states[0]?.before ?? one.state;
    const last = states.reduce(
      (before: string | null, each: Body) => (each.before === before ? each.after : null),
      first,
    );
    check(last === one.state, 'each state after the other', { one, states });
    check((one.state === 'PAID') === (one.paidAt !== null), 'paid or not', one);
  }
  expect(wrong).toEqual([]);
}
