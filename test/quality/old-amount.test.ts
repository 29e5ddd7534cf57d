/** OLD_AMOUNT: an interview that claims to have ended before an incentive was lowered. */
import { NO_INCENTIVES } from '../../src/study/settings/incentives.ts';
import { BEN, findingsOf, honest, type InterviewOptions, MINUTE, madeUp, NOON } from './made-up.ts';

const HOUR = 60 * MINUTE;
const at = (hours: number) => new Date(NOON + hours * HOUR);
const paying = (interview: string | null, recruit: string | null = null) => ({
  ...{ ...NO_INCENTIVES, currency: 'USD' },
  ...{ interview, recruit },
});

/** From `before` to `after` at noon of the third day. */
const changed = (before: ReturnType<typeof paying>, after: ReturnType<typeof paying>) => ({
  incentives: {
    incentives: after,
    earlierIncentives: [{ until: at(48), settings: before }],
    incentiveCurrency: 'USD',
  },
});
const LOWERED = changed(paying('30.00', '10.00'), paying('20.00', '5.00'));

/** Began so many hours after noon of the first day, took 20 minutes and was received so many hours after noon. */
const lateInterview = (start: number, arrival: number, fields: InterviewOptions = {}) =>
  madeUp({ start: start * 60, createdAt: at(arrival), ...fields });
const findings = (interviews: ReturnType<typeof madeUp>[], args: object = LOWERED) =>
  findingsOf(interviews, 'OLD_AMOUNT', args);

test('an interview received after the amount fell that claims an earlier end is found, with the amount owed', () => {
  const late = lateInterview(24, 96);
  expect(findings([late, ...honest(20)])).toEqual([
    expect.objectContaining({
      ...{ survey: String(late._id), value: 30, expected: 20 },
      ...{ at: at(96).getTime(), times: 1 },
    }),
  ]);
});

test('what a recruiter is owed counts too', () => {
  const recruiter = madeUp();
  const late = lateInterview(24, 96, { recruiter: recruiter._id });
  expect(findings([recruiter, late])).toMatchObject([{ survey: String(late._id), value: 40, expected: 25 }]);
  const ofRecruits = changed(paying(null, '10.00'), paying(null, null));
  expect(findings([recruiter, late], ofRecruits)).toMatchObject([{ value: 10, expected: 0 }]);
  expect(findings([lateInterview(24, 96)], ofRecruits)).toEqual([]);
});

test.each([
  ['it ended and was received under the same amount, days apart', lateInterview(49, 240), LOWERED],
  ['it was received before the change', lateInterview(1, 47), LOWERED],
  ['the amount rose', lateInterview(24, 96), changed(paying('20.00'), paying('30.00'))],
  [
    'the amount never changed',
    lateInterview(24, 96),
    { incentives: { ...LOWERED.incentives, earlierIncentives: [] } },
  ],
  ['it was received within hours', lateInterview(47, 53), LOWERED],
  ['it was rejected', lateInterview(24, 96, { review: { state: 'REJECTED' } }), LOWERED],
  ['the person did not take part', lateInterview(24, 96, { takesPart: false }), LOWERED],
  [
    'its clock is known to be wrong, so that it is paid by arrival',
    lateInterview(24, 96, { heldAt: at(96) }),
    LOWERED,
  ],
])('no finding if %s', (_, one, args) => {
  expect(findings([one], args)).toEqual([]);
});

test('a phone that was offline for days has no worse findings, however its interviews arrive', () => {
  const interviews = [10, 20, 30, 40, 50].map((start, order) => lateInterview(start, 120 + order / 60));
  for (const all of [interviews, interviews.toReversed()]) {
    const [first, ...rest] = findings(all);
    expect([first, ...rest].map((one) => one?.times)).toEqual([1, 1, 1, 1]);
  }
});

test('an interview is worse if later ones of the same interviewer were received long before', () => {
  const late = lateInterview(47, 52);
  const times = (other: ReturnType<typeof madeUp>) => findings([late, other]).map((one) => one.times);
  expect(times(lateInterview(49, 50))).toEqual([5]);
  // Another phone's, one that began before, and one of the same minutes.
  expect(times(lateInterview(49, 50, { createdBy: BEN }))).toEqual([]);
  expect(times(lateInterview(46, 50))).toEqual([]);
  expect(times(lateInterview(49, 51.9))).toEqual([]);
});
