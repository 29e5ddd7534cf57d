import mongoose, { type Types } from 'mongoose';
import type { IncentiveRecord } from '../../src/interviews/incentives/model.ts';
import {
  changedIncentives,
  type InterviewForIncentives,
  NO_PAYMENT,
  type OwedInput,
} from '../../src/interviews/incentives/owed.ts';
import { FAULTS } from '../../src/platform/http/problems/error-codes.ts';
import {
  currencyDecimals,
  hasIncentives,
  hasRecruitLimit,
  IncentiveSettings,
  incentiveCurrency,
  incentiveSettingsAt,
  NO_INCENTIVES,
  type StudyIncentiveSettings,
} from '../../src/study/settings/incentives.ts';

const NOW = new Date('2027-06-15T12:00:00Z');
const hour = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
const USD: IncentiveSettings = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: 2 };
const id = () => new mongoose.Types.ObjectId();
const site = id();
const round = id();
const interview = (more: Partial<InterviewForIncentives> = {}): InterviewForIncentives => ({
  _id: id(),
  counts: true,
  at: NOW,
  location: site,
  round,
  ...more,
});

const survey = interview();
const ask = (more: Partial<OwedInput>): OwedInput => ({
  survey,
  recruits: [],
  incentives: [],
  settingsAt: () => USD,
  now: NOW,
  ...more,
});
const incentive = (recruit: Types.ObjectId | null, more: Partial<IncentiveRecord> = {}): IncentiveRecord => ({
  _id: id(),
  survey: survey._id,
  kind: recruit ? 'RECRUIT' : 'INTERVIEW',
  recruit,
  amount: '5.00',
  currency: 'USD',
  state: 'DUE',
  byHand: false,
  ...NO_PAYMENT,
  reason: null,
  site,
  round,
  payments: [],
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
});
const own = incentive(null);
/** Changes of the recruits, by index in the list. */
const changesOfRecruits = (recruits: InterviewForIncentives[], more: Partial<OwedInput> = {}) =>
  changedIncentives(ask({ recruits, ...more, incentives: [own, ...(more.incentives ?? [])] })).map(
    (one) => [recruits.findIndex(({ _id }) => _id.equals(one.recruit ?? id())), one.state] as const,
  );

describe('for the person’s own interview', () => {
  test('a counted interview is owed once', () => {
    expect(changedIncentives(ask({}))).toMatchObject([
      { kind: 'INTERVIEW', amount: '20.00', state: 'DUE', recruit: null },
    ]);
    expect(changedIncentives(ask({ incentives: [own] }))).toEqual([]);
  });

  test('a new incentive is stored with its site and time, without payments', () => {
    const [newIncentive] = changedIncentives(ask({}));
    expect(newIncentive).toEqual({
      ...own,
      _id: expect.any(mongoose.Types.ObjectId),
      amount: '20.00',
    });
    expect(newIncentive?.payments).toEqual([]);
    expect(newIncentive?.reason).toBeNull();
  });

  test('a changed incentive has the time of the change', () => {
    const [withdrawnIncentive] = changedIncentives(
      ask({ survey: { ...survey, counts: false }, incentives: [own], now: hour(1) }),
    );
    expect(withdrawnIncentive).toMatchObject({ createdAt: NOW, updatedAt: hour(1) });
  });

  test('an uncounted interview, or one without an incentive amount, is owed nothing', () => {
    expect(changedIncentives(ask({ survey: interview({ counts: false }) }))).toEqual([]);
    expect(changedIncentives(ask({ settingsAt: () => NO_INCENTIVES }))).toEqual([]);
  });

  test.each([{ interview: null }, { currency: null }])(
    'with %j nothing is owed, whatever was handed over',
    (none) => {
      const settingsAt = () => ({ ...USD, ...none });
      const handedOver = { ...NO_PAYMENT, method: 'CASH' as const, paidAt: NOW };
      expect(changedIncentives(ask({ settingsAt }))).toEqual([]);
      expect(changedIncentives(ask({ settingsAt, handedOver }))).toEqual([]);
    },
  );

  test('an incentive for a recruit is not the one for the person’s own interview', () => {
    const recruit = interview();
    const changes = changedIncentives(ask({ recruits: [recruit], incentives: [incentive(recruit._id)] }));
    expect(changes.map(({ kind, state }) => [kind, state])).toEqual([['INTERVIEW', 'DUE']]);
  });

  test('an incentive no longer owed is withdrawn, and later due again with its old amount', () => {
    const withdrawnIncentives = changedIncentives(
      ask({ survey: { ...survey, counts: false }, incentives: [own] }),
    );
    expect(withdrawnIncentives).toMatchObject([{ _id: own._id, state: 'WITHDRAWN', byHand: false }]);
    expect(changedIncentives(ask({ incentives: withdrawnIncentives }))).toMatchObject([
      { _id: own._id, state: 'DUE', amount: '5.00' },
    ]);
  });

  test('a paid or manually withdrawn incentive stays so', () => {
    for (const fixed of [
      incentive(null, { state: 'PAID' }),
      incentive(null, { state: 'WITHDRAWN', byHand: true }),
    ])
      for (const counts of [true, false])
        expect(changedIncentives(ask({ survey: { ...survey, counts }, incentives: [fixed] }))).toEqual([]);
  });

  test('an incentive handed over is paid, even if it was not due', () => {
    const handedOver = { ...NO_PAYMENT, method: 'CASH' as const, paidAt: NOW };
    for (const counts of [true, false])
      expect(changedIncentives(ask({ survey: interview({ counts }), handedOver }))).toMatchObject([
        { state: 'PAID', method: 'CASH', amount: '20.00' },
      ]);
    expect(changedIncentives(ask({ handedOver, settingsAt: () => NO_INCENTIVES }))).toEqual([]);
  });
});

describe('for recruits', () => {
  test('the first recruits up to the limit are owed', () => {
    const three = [interview(), interview(), interview()];
    expect(changesOfRecruits(three)).toEqual([
      [0, 'DUE'],
      [1, 'DUE'],
    ]);
    expect(changesOfRecruits(three, { settingsAt: () => ({ ...USD, recruitLimit: null }) })).toHaveLength(3);
    expect(changesOfRecruits(three, { settingsAt: () => ({ ...USD, recruitLimit: 0 }) })).toEqual([]);
  });

  test('a recruiter whose own interview does not count is still owed', () => {
    const [one] = changedIncentives(ask({ survey: interview({ counts: false }), recruits: [interview()] }));
    expect(one).toMatchObject({ kind: 'RECRUIT', state: 'DUE' });
  });

  test('the place of a recruit who no longer counts goes to the next', () => {
    const three = [interview(), interview({ counts: false }), interview()];
    const incentives = three.slice(0, 2).map(({ _id }) => incentive(_id));
    expect(changesOfRecruits(three, { incentives })).toEqual([
      [1, 'WITHDRAWN'],
      [2, 'DUE'],
    ]);
  });

  test('a recruit who counts again gets no place while others hold them', () => {
    const three = [interview(), interview(), interview()];
    const [first, ...others] = three.map(({ _id }) => incentive(_id));
    const incentives = [{ ...(first as IncentiveRecord), state: 'WITHDRAWN' as const }, ...others];
    expect(changesOfRecruits(three, { incentives })).toEqual([]);
  });

  test('a paid or manually withdrawn incentive holds its place even if the recruit does not count', () => {
    const three = [interview({ counts: false }), interview({ counts: false }), interview()];
    const [paid, byHand] = three.map(({ _id }) => incentive(_id));
    const incentives = [
      { ...(paid as IncentiveRecord), state: 'PAID' as const },
      { ...(byHand as IncentiveRecord), state: 'WITHDRAWN' as const, byHand: true },
    ];
    expect(changesOfRecruits(three, { incentives })).toEqual([]);
  });

  test('an incentive for a recruit no longer linked is withdrawn', () => {
    const incentives = [incentive(id()), incentive(id(), { state: 'PAID' })];
    expect(changedIncentives(ask({ incentives: [own, ...incentives] }))).toMatchObject([
      { _id: incentives[0]?._id, state: 'WITHDRAWN' },
    ]);
  });

  test('limit and amount are those in force when each recruit was interviewed', () => {
    const three = [interview({ at: hour(-3) }), interview({ at: hour(-2) }), interview({ at: hour(-1) })];
    const settingsAt = (at: Date) =>
      at < hour(-1) ? { ...USD, recruitLimit: 1 } : { ...USD, recruit: '15.00', recruitLimit: 2 };
    const incentives = changedIncentives(ask({ recruits: three, settingsAt, incentives: [own] }));
    expect(incentives).toMatchObject([
      { recruit: three[0]?._id, amount: '10.00' },
      { recruit: three[2]?._id, amount: '15.00' },
    ]);
  });

  test('without an amount or a currency nothing is owed, and no place is taken', () => {
    const two = [interview({ at: hour(-1) }), interview()];
    for (const none of [{ recruit: null }, { currency: null }]) {
      const settingsAt = (at: Date) => ({ ...USD, recruitLimit: 1, ...(at < NOW ? none : {}) });
      expect(changesOfRecruits(two, { settingsAt })).toEqual([[1, 'DUE']]);
    }
  });

  test('if a recruit counts again and a place is free, the incentive is due again with its old amount', () => {
    const recruit = interview();
    const before = incentive(recruit._id, { state: 'WITHDRAWN' });
    const recruits = [recruit];
    expect(changedIncentives(ask({ recruits, incentives: [own, before] }))).toMatchObject([
      { _id: before._id, state: 'DUE', amount: '5.00' },
    ]);
  });

  test('a free place goes to the earliest recruit, or first to one whose incentive was withdrawn', () => {
    const recruits = [interview(), interview()];
    const withdrawn = incentive(recruits[1]?._id ?? null, { state: 'WITHDRAWN' });
    const limited = { settingsAt: () => ({ ...USD, recruitLimit: 1 }), incentives: [withdrawn] };
    expect(changesOfRecruits(recruits, limited)).toEqual([[0, 'DUE']]);
    expect(changesOfRecruits(recruits, { ...limited, withdrawnFirst: true })).toEqual([[1, 'DUE']]);
  });

  test('a lower limit withdraws nothing', () => {
    const three = [interview(), interview(), interview()];
    const incentives = three.map(({ _id }) => incentive(_id));
    expect(changesOfRecruits(three, { incentives })).toEqual([]);
  });
});

describe('settings', () => {
  const study = (more: Partial<StudyIncentiveSettings>): StudyIncentiveSettings => ({
    incentives: NO_INCENTIVES,
    earlierIncentives: [],
    incentiveCurrency: null,
    ...more,
  });

  test('are those in force at the time', () => {
    const earlier = { ...USD, interview: '5.00' };
    const studyWithHistory = study({
      incentives: USD,
      earlierIncentives: [
        { until: hour(-2), settings: NO_INCENTIVES },
        { until: hour(-1), settings: earlier },
      ],
      incentiveCurrency: 'USD',
    });
    expect([-3, -2, -1, 0].map((at) => incentiveSettingsAt(studyWithHistory, hour(at)).interview)).toEqual([
      null,
      '5.00',
      '20.00',
      '20.00',
    ]);
  });

  test('ignore amounts in a currency other than the study’s', () => {
    const studyWithHistory = study({
      incentives: { ...USD, currency: 'EUR' },
      earlierIncentives: [{ until: NOW, settings: USD }],
    });
    expect(incentiveSettingsAt(studyWithHistory, hour(-1))).toEqual(NO_INCENTIVES);
    expect(incentiveSettingsAt(studyWithHistory, NOW).currency).toBe('EUR');
  });

  test.each([
    ['USD', '20.00', true],
    ['USD', '20', false],
    ['USD', '20.0', false],
    ['USD', '0.00', false],
    ['USD', '0.01', true],
    ['USD', '10000.00', true],
    ['USD', '10000.01', false],
    ['USD', '-1.00', false],
    ['USD', '020.00', false],
    ['USD', '1e2', false],
    ['JPY', '500', true],
    ['JPY', '500.00', false],
    ['KWD', '1.250', true],
    ['XYZ', '1.00', false],
    ['usd', '1.00', false],
    [null, '1.00', false],
  ])('in %s %s is a valid amount: %s', (currency, interview, isGood) => {
    expect(IncentiveSettings.safeParse({ currency, interview }).success).toBe(isGood);
  });

  test.each<[object, string, string]>([
    [{ interview: '20.00' }, 'interview', FAULTS.NO_CURRENCY],
    [{ recruit: '20.00' }, 'recruit', FAULTS.NO_CURRENCY],
    [{ currency: 'USD', interview: '20' }, 'interview', FAULTS.NOT_AMOUNT],
    [{ currency: 'USD', recruit: '20' }, 'recruit', FAULTS.NOT_AMOUNT],
    [{ currency: 'XYZ' }, 'currency', FAULTS.NOT_CURRENCY],
    [{ currency: 'XYZ', recruit: '20.00' }, 'currency', FAULTS.NOT_CURRENCY],
  ])('%j is refused at %s: %s', (input, field, message) => {
    const issues = IncentiveSettings.safeParse(input).error?.issues;
    expect(issues?.map((issue) => [issue.path, issue.message])).toEqual([[[field], message]]);
  });

  test('a limit is a whole number from 0 to 10 or null', () => {
    const isGood = (recruitLimit: unknown) => IncentiveSettings.safeParse({ recruitLimit }).success;
    expect([0, 10, null].every(isGood)).toBe(true);
    expect([-1, 11, 1.5, '3'].some(isGood)).toBe(false);
  });

  test('missing fields are null, and unknown fields are rejected', () => {
    expect(IncentiveSettings.parse({})).toEqual(NO_INCENTIVES);
    expect(IncentiveSettings.safeParse({ bonus: '1.00' }).success).toBe(false);
  });

  test('a study has incentives if an amount is or was set, or an incentive is stored', () => {
    const was = (settings: Partial<IncentiveSettings>) =>
      study({ earlierIncentives: [{ until: NOW, settings: { ...NO_INCENTIVES, ...settings } }] });
    for (const amounts of [{ interview: '1.00' }, { recruit: '1.00' }]) {
      expect(hasIncentives(study({ incentives: { ...NO_INCENTIVES, ...amounts } }))).toBe(true);
      expect(hasIncentives(was(amounts))).toBe(true);
    }
    expect(hasIncentives(study({ incentiveCurrency: 'USD' }))).toBe(true);
    expect(hasIncentives(study({}))).toBe(false);
    expect(hasIncentives(was({ currency: 'USD', recruitLimit: 2 }))).toBe(false);
  });

  test('a study has a recruit limit if one is or was set', () => {
    expect(hasRecruitLimit(study({ incentives: USD }))).toBe(true);
    expect(hasRecruitLimit(study({ earlierIncentives: [{ until: NOW, settings: USD }] }))).toBe(true);
    expect(hasRecruitLimit(study({ incentives: { ...USD, recruitLimit: null } }))).toBe(false);
  });

  test('the currency is that of stored incentives, otherwise that of the settings', () => {
    expect(incentiveCurrency(study({ incentives: USD, incentiveCurrency: 'EUR' }))).toBe('EUR');
    expect(incentiveCurrency(study({ incentives: USD }))).toBe('USD');
    expect(incentiveCurrency(study({}))).toBeNull();
  });

  test('without a current currency, earlier settings apply unchanged to their time', () => {
    const studyWithHistory = study({ earlierIncentives: [{ until: NOW, settings: USD }] });
    expect(incentiveSettingsAt(studyWithHistory, hour(-1))).toEqual(USD);
  });

  test('use the decimals of the currency', () => {
    expect(['USD', 'JPY', 'KWD', 'IQD', 'RSD', 'CLF'].map(currencyDecimals)).toEqual([2, 0, 3, 3, 2, 4]);
  });
});
