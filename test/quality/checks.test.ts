/** Each check on a small table: exactly at its limit, beyond it, and with too few interviews to compare. */
import mongoose from 'mongoose';
import { metersBetween } from '../../src/board/quality/checks/far-from-site.ts';
import { newFlag } from '../../src/interviews/surveys/model.ts';
import {
  ANA,
  BEN,
  findingsOf,
  honest,
  type InterviewOptions,
  MINUTE,
  madeUp,
  NOON,
  putInterview,
  SITE,
  tableOf,
} from './made-up.ts';

const { ObjectId } = mongoose.Types;
const at = (minutes: number) => NOON + minutes * MINUTE;

test('honest interviews have no findings', () => {
  expect(findingsOf(honest(100))).toEqual([]);
  expect(findingsOf([])).toEqual([]);
});

describe('durations', () => {
  const withOne = (minutes: number, others = 29, fields: InterviewOptions = {}) =>
    findingsOf([...honest(others), madeUp({ minutes, start: 9_000, ...fields })]);

  test.each([
    [8, []],
    [7.9, ['TOO_FAST']],
    [0, ['TOO_FAST']],
    [80, []],
    [80.1, ['TOO_LONG']],
  ])('%d minutes with a median of 20: %j', (minutes, checks) => {
    expect(withOne(minutes).map(({ check }) => check)).toEqual(checks);
  });

  test('the value is in minutes, and expected is the limit', () => {
    const one = madeUp({ minutes: 3.55, start: 9_000, createdBy: BEN });
    expect(findingsOf([...honest(29), one])).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        check: 'TOO_FAST',
        survey: String(one._id),
        interviewer: String(BEN),
        location: String(SITE),
        value: 3.5,
        expected: 8,
        at: at(9_003.55),
        times: 8 / 3.55,
      },
    ]);
  });

  test('29 interviews are too few to compare', () => {
    expect(withOne(1, 28)).toEqual([]);
    expect(withOne(1, 29)).toHaveLength(1);
  });

  test('other versions, unfinished, deleted, rejected and declined interviews are not compared', () => {
    const incomparableFields: InterviewOptions[] = [
      { questionnaire: new ObjectId() },
      { status: 'IN_PROGRESS' },
      { deletedAt: new Date(NOON) },
      { review: { state: 'REJECTED' } },
      { takesPart: false },
    ];
    for (const fields of incomparableFields) {
      expect(withOne(1, 29, fields)).toEqual([]);
      expect(findingsOf([...honest(28), madeUp({ minutes: 1 }), madeUp(fields)])).toEqual([]);
    }
  });

  test('interviews with a wrong clock have no duration findings', () => {
    expect(withOne(1, 30, { heldAt: new Date(at(10)) })).toEqual([]);
    // With a clock ahead at the start, the start is stored as the time received.
    expect(withOne(-1_440, 30)).toEqual([]);
  });

  test('nothing is too long if most interviews have no duration', () => {
    expect(findingsOf([...honest(30, { minutes: 0 }), madeUp({ minutes: 20 })])).toEqual([]);
  });

  test('an early interview is found when the thirtieth arrives', () => {
    const fast = madeUp({ minutes: 1, start: -60 });
    expect(findingsOf([...honest(29), fast])).toMatchObject([{ at: at(28 * 30 + 20) }]);
    expect(findingsOf([fast, ...honest(40)])).toMatchObject([{ at: at(28 * 30 + 20) }]);
  });
});

describe('skipped questions', () => {
  const withOne = (skipped: number, others: number, count = 29) =>
    findingsOf([...honest(count, { skipped: others }), madeUp({ skipped })]);

  test.each([
    [5, 0, 0],
    [6, 0, 1],
    [6, 2, 0],
    [7, 2, 1],
    [10, 4, 0],
  ])('%d of 10 questions skipped while others skip %d: %d findings', (skipped, others, count) => {
    expect(withOne(skipped, others)).toHaveLength(count);
  });

  test('the value is the share of skipped questions', () => {
    expect(withOne(7, 2)).toMatchObject([{ check: 'MANY_SKIPPED', value: 0.7, expected: 0.6 }]);
  });

  test('29 interviews are too few to compare', () => {
    expect(withOne(10, 0, 28)).toEqual([]);
  });
});

describe('network sizes', () => {
  const sizes = (...all: number[]) =>
    all.map((networkSize, i) => madeUp({ networkSize, start: i, createdBy: new ObjectId() }));
  const TENS = Array.from({ length: 29 }, () => 10);

  test('0 is found with any number of interviews', () => {
    expect(findingsOf(sizes(0, 1))).toMatchObject([{ check: 'SIZE_ODD', value: 0, expected: null }]);
  });

  test.each([
    [100, 0],
    [101, 1],
  ])('%d with a 90th percentile of 10: %d findings', (size, count) => {
    expect(findingsOf(sizes(...TENS, size))).toHaveLength(count);
  });

  test('expected is the largest plausible size, also for 0', () => {
    expect(findingsOf(sizes(...TENS, 0, 500))).toMatchObject([
      { value: 500, expected: 100 },
      { value: 0, expected: 100 },
    ]);
  });

  test('29 interviews are too few to find large sizes', () => {
    expect(findingsOf(sizes(...TENS.slice(1), 101))).toEqual([]);
  });

  test('a missing size has no finding', () => {
    expect(findingsOf([...sizes(...TENS), madeUp({ networkSize: null })])).toEqual([]);
  });

  const ofAna = (round: number, others: number) =>
    [...Array<number>(round).fill(20), ...Array<number>(others).fill(17)].map((networkSize, i) =>
      madeUp({ networkSize, start: i }),
    );

  test.each([
    [8, 2, 0],
    [9, 1, 1],
    [9, 0, 0],
    [10, 0, 1],
    [12, 3, 0],
    [13, 3, 1],
  ])('an interviewer with %d round sizes and %d others: %d findings', (round, others, count) => {
    expect(findingsOf(ofAna(round, others))).toHaveLength(count);
  });

  test('small sizes do not count as rounded', () => {
    expect(findingsOf([...ofAna(9, 0), ...honest(20, { networkSize: 5 })])).toEqual([]);
  });

  test('rounding is one finding per interviewer, dated by the interview that caused it', () => {
    expect(findingsOf([...ofAna(11, 0), ...honest(5, { createdBy: BEN })])).toMatchObject([
      { survey: null, interviewer: String(ANA), value: 1, expected: 0.8, at: at(9 + 20) },
    ]);
    const mixed = [...ofAna(8, 2), ...honest(3, { networkSize: 30, start: 100 })];
    expect(findingsOf(mixed)).toMatchObject([{ value: 0.85, at: at(100 + 20) }]);
  });
});

describe('distance from the site', () => {
  const site = { id: String(SITE), latitude: 47.6, longitude: -122.3 };
  /** North of the site. */
  const away = (metres: number, accuracy?: number) => ({
    latitude: 47.6 + metres / 111_194.93,
    longitude: -122.3,
    ...(accuracy === undefined ? {} : { accuracy }),
  });
  const far = (coordinates: InterviewOptions['coordinates'], fields: InterviewOptions = {}, sites = [site]) =>
    findingsOf([madeUp({ coordinates: coordinates ?? null, ...fields })], 'FAR_FROM_SITE', { sites });

  test.each([
    [499, 0, 0],
    [501, 0, 1],
    [560, 60, 0],
    [561.1, 60, 1],
    [120_000, 119_000, 1],
    [120_000, 119_600, 0],
  ])('%d m away with an accuracy of %d m: %d findings', (metres, accuracy, count) => {
    expect(far(away(metres, accuracy))).toHaveLength(count);
  });

  test('the value is the distance, and the limit allows for the accuracy', () => {
    expect(far(away(900, 20))).toMatchObject([{ value: 900, expected: 520, times: expect.closeTo(1.76, 2) }]);
  });

  test('without a position of the interview or the site there is no finding', () => {
    expect(far(null)).toEqual([]);
    expect(far(away(9_000), {}, [])).toEqual([]);
    expect(far(away(9_000), { location: new ObjectId() })).toEqual([]);
  });

  test('declined interviews are checked, unfinished and rejected ones are not', () => {
    expect(far(away(9_000), { takesPart: false })).toHaveLength(1);
    expect(far(away(9_000), { status: 'IN_PROGRESS' })).toEqual([]);
    expect(far(away(9_000), { review: { state: 'REJECTED' } })).toEqual([]);
  });

  test('distances are great-circle distances', () => {
    const seattle = { latitude: 47.6062, longitude: -122.3321 };
    expect(metersBetween(seattle, seattle)).toBe(0);
    expect(metersBetween(seattle, { latitude: 45.5152, longitude: -122.6784 }) / 1000).toBeCloseTo(234, 0);
    const line = metersBetween({ latitude: 0, longitude: 179.999 }, { latitude: 0, longitude: -179.999 });
    expect(line).toBeCloseTo(222.4, 0);
  });
});

describe('coupon runs', () => {
  const recruiter = madeUp();
  const recruits = (starts: number[], fields: InterviewOptions = {}) =>
    starts.map((start) => madeUp({ start, recruiter: recruiter._id, createdBy: BEN, ...fields }));
  const runs = (...others: ReturnType<typeof recruits>) => findingsOf([recruiter, ...others], 'COUPON_RUN');

  test.each([
    [[0, 7, 15], 1],
    [[0, 7, 15.01], 0],
    [[0, 15], 0],
    [[0, 10, 20, 25], 1],
  ])('recruits at minutes %j: %d findings', (starts, count) => {
    expect(runs(...recruits(starts))).toHaveLength(count);
  });

  test('a run is one finding of the recruiter, with the largest number of recruits', () => {
    expect(runs(...recruits([100, 105, 110, 113, 300, 301, 302]))).toMatchObject([
      { survey: String(recruiter._id), interviewer: String(BEN), value: 4, expected: 2, at: at(110 + 20) },
    ]);
  });

  test('recruits at different sites, of different recruiters, and deleted ones are no run', () => {
    const other = madeUp();
    const [first, second, third] = recruits([0, 1, 2]);
    expect(runs(first!, second!, { ...third!, location: new ObjectId() })).toEqual([]);
    expect(runs(other, first!, second!, { ...third!, recruiter: other._id })).toEqual([]);
    expect(runs(first!, second!, { ...third!, deletedAt: new Date(NOON) })).toEqual([]);
    expect(runs(first!, second!, third!)).toHaveLength(1);
  });

  test('interviews with a wrong clock sent together are no run', () => {
    expect(runs(...recruits([0, 1, 2], { heldAt: new Date(NOON) }).slice(1), ...recruits([0]))).toEqual([]);
  });

  test('a recruiter whose interview is deleted has no findings', () => {
    const deletedRecruiter = { ...recruiter, deletedAt: new Date(NOON) };
    expect(findingsOf([deletedRecruiter, ...recruits([0, 1, 2])], 'COUPON_RUN')).toEqual([]);
  });
});

describe('declined interviews', () => {
  const person = (createdBy: typeof ANA, all: number, declined: number, start = 0) =>
    Array.from({ length: all }, (_, i) =>
      madeUp({ createdBy, start: start + i, ...(i < declined ? { takesPart: false } : {}) }),
    );
  const declined = (mine: [number, number], others: [number, number]) =>
    findingsOf([...person(BEN, ...others), ...person(ANA, ...mine, 1_000)], 'MANY_DECLINED');

  test('a share far above all other interviewers’ is found', () => {
    expect(declined([20, 10], [100, 5])).toMatchObject([
      { survey: null, interviewer: String(ANA), value: 0.5, expected: 0.05 },
    ]);
  });

  // z = (a - b) / sqrt(p (1 - p) (1 / 10 + 1 / 100))
  test.each([
    [[10, 4], 2.89, 0],
    [[10, 5], 3.71, 1],
  ] as const)('%j while others have 9 of 100: z is %d, %d findings', (mine, _z, count) => {
    expect(declined([...mine], [100, 9])).toHaveLength(count);
  });

  test('at least 10 interviews of the interviewer and 30 in total are needed', () => {
    expect(declined([9, 9], [100, 5])).toEqual([]);
    expect(declined([10, 10], [19, 0])).toEqual([]);
    expect(declined([10, 10], [20, 0])).toHaveLength(1);
  });

  test('a share below others’ or equal for everyone is no finding', () => {
    expect(declined([50, 0], [50, 25])).toMatchObject([{ interviewer: String(BEN) }]);
    expect(declined([50, 50], [50, 50])).toEqual([]);
    expect(findingsOf(person(ANA, 40, 20))).toEqual([]);
  });

  test('the finding is dated by the interview that caused it', () => {
    // The tenth interview: nine are not enough.
    expect(declined([30, 30], [100, 5])).toMatchObject([{ at: at(1_000 + 9 + 20) }]);
  });

  test('rejected interviews are left out', () => {
    const mine = person(ANA, 20, 10, 1_000).map((one) => ({ ...one, review: { state: 'REJECTED' } }));
    expect(findingsOf([...person(BEN, 100, 5), ...mine], 'MANY_DECLINED')).toEqual([]);
  });
});

describe('flags', () => {
  test('CLOCK_ODD is found until someone clears it', () => {
    const startedAt = new Date(at(-600_000));
    const createdAt = new Date(NOON);
    const one = madeUp({
      startedAt,
      createdAt,
      heldAt: createdAt,
      flags: [newFlag('CLOCK_ODD', null, createdAt)],
    });
    expect(findingsOf([one])).toMatchObject([
      { check: 'CLOCK_ODD', value: startedAt.toISOString(), expected: createdAt.toISOString(), at: NOON },
    ]);
    expect(findingsOf([{ ...one, flags: [] }])).toEqual([]);
    expect(findingsOf([{ ...one, deletedAt: createdAt }])).toEqual([]);
  });

  test('POSSIBLE_REPEAT is found only for surveys that the reader may review', () => {
    const one = madeUp({ repeat: { strength: 'EXACT', at: new Date(NOON) } });
    expect(findingsOf([one])).toEqual([]);
    expect(
      findingsOf([one], undefined, { mayReview: [String(one._id), String(new ObjectId())] }),
    ).toMatchObject([{ check: 'POSSIBLE_REPEAT', survey: String(one._id), value: 'EXACT', at: NOON }]);
  });
});

test('ids are the same in every process and differ between findings', () => {
  const table = [...honest(40), ...honest(10, { networkSize: 0, minutes: 1 })];
  const ids = findingsOf(table).map(({ id }) => id);
  expect(
    findingsOf(table.toReversed())
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(20);
  expect(findingsOf([madeUp({ _id: new ObjectId('0123456789abcdef01234567'), networkSize: 0 })])[0]?.id).toBe(
    '4f5182d6a3482b6da4eeeaf2',
  );
});

test('a changed interview is checked in its current state', () => {
  const one = madeUp({ networkSize: 0, flags: [newFlag('CLOCK_ODD', null, new Date(NOON))] });
  const table = tableOf([one]);
  putInterview(table, { ...one, networkSize: 3, flags: [] });
  expect(table.interviews.clockOdd.size).toBe(0);
  expect(findingsOf([one])).toHaveLength(2);
});
