import { outlookOf } from '../../src/board/recruitment/pace/forecast.ts';
import { recruitmentAdviceFor } from '../../src/board/recruitment/pace/pace.ts';
import { dayNumber, dayOfNumber } from '../../src/platform/lib/day.ts';

describe('the forecast', () => {
  const TODAY = '2027-03-22';
  const some = (...counts: [day: string, n: number][]) => new Map(counts);
  const each = (n: number, from: string, days: number) =>
    new Map(Array.from({ length: days }, (_, i) => [dayOfNumber(dayNumber(from) + i), n]));
  const plan = { today: TODAY, target: 1_000, endsOn: '2027-04-30' as string | null };

  test('needs a week of interviews, some of them recent', () => {
    expect(outlookOf({ ...plan, byDay: some() })).toMatchObject({ noForecast: 'NO_INTERVIEW', pace: null });
    expect(outlookOf({ ...plan, byDay: some(['2027-03-16', 9]) })).toMatchObject({
      noForecast: 'TOO_FEW_DAYS',
      pace: { perDay: 1.5, days: 6 },
    });
    expect(outlookOf({ ...plan, byDay: some(['2027-01-01', 9]) }).noForecast).toBe('NONE_LATELY');
    expect(outlookOf({ ...plan, byDay: some(['2027-03-15', 9]) }).forecast).toMatchObject({ days: 7 });
  });

  test('gives no date over five years ahead, and the actual date if the target was met', () => {
    const slow = outlookOf({
      ...plan,
      byDay: each(1, '2027-03-01', 21),
      endsOn: '2040-01-01',
      target: 100_000,
    });
    expect(slow.forecast).toMatchObject({
      atEnd: null,
      targetMet: { expected: null, low: null, high: null },
    });
    const outlook = outlookOf({ ...plan, byDay: each(2, '2027-03-01', 21), target: 10 });
    expect(outlook.forecast?.targetMet).toEqual({
      expected: '2027-03-05',
      low: '2027-03-05',
      high: '2027-03-05',
    });
  });

  test('is at least the current total; the pace needed uses the days left, including today and the last', () => {
    const byDay = each(1, '2027-03-01', 21).set(TODAY, 30);
    const outlook = outlookOf({ ...plan, byDay, endsOn: TODAY, target: 61 });
    expect(outlook).toMatchObject({ total: 51, today: 30, daysLeft: 1, neededPerDay: 10 });
    expect(outlook.forecast?.atEnd).toEqual({ expected: 51, low: 51, high: 51 });
    expect(outlookOf({ ...plan, byDay, endsOn: '2027-03-21' })).toMatchObject({
      daysLeft: 0,
      neededPerDay: null,
    });
  });

  test('gives the most urgent advice', () => {
    const coupons = {
      issued: 300,
      out: 90,
      settled: 100,
      returned: 50,
      returnRate: 0.5,
      expected: 45,
      recruitsEach: 1.5,
    };
    const advice = (perDay: number, fields: Partial<typeof plan> = {}, more = {}) => {
      const progress = { ...plan, ...fields, byDay: each(perDay, '2027-02-22', 28) };
      const outlook = outlookOf(progress);
      const missing = Math.max(0, progress.target - outlook.total);
      return recruitmentAdviceFor({ ...progress, ...outlook, missing, coupons: { ...coupons, ...more } });
    };
    expect(advice(20)).toBe('ON_PACE');
    expect(advice(20, { target: 560 })).toBe('DONE');
    expect(advice(20, { target: 600 })).toBe('FEWER_COUPONS');
    expect(advice(20, { endsOn: null })).toBe('NO_END_DATE');
    expect(advice(5)).toBe('BEHIND');
    expect(advice(5, {}, { recruitsEach: 0.9 })).toBe('MORE_SEEDS');
    expect(advice(5, { endsOn: '2027-01-01' })).toBe('BEHIND');
    expect(advice(0)).toBe('TOO_EARLY');
    // Within the interval, and just beyond it.
    const { high = 0 } = outlookOf({ ...plan, byDay: each(20, '2027-02-22', 28) }).forecast?.atEnd ?? {};
    expect(advice(20, { target: high })).toBe('ON_PACE');
    expect(advice(20, { target: high + 1 })).toBe('BEHIND');
  });

  test('a study whose pace is at least what is needed is never called behind', () => {
    // Slow at first, and fast enough for two weeks.
    const byDay = new Map([...each(1, '2027-02-22', 14), ...each(12, '2027-03-08', 14)]);
    for (let target = 150; target < 1_500; target += 25) {
      const outlook = outlookOf({ ...plan, byDay, target });
      const coupons = {
        issued: 0,
        out: 0,
        settled: 0,
        returned: 0,
        returnRate: null,
        expected: null,
        recruitsEach: null,
      };
      const missing = Math.max(0, target - outlook.total);
      const advice = recruitmentAdviceFor({ ...plan, ...outlook, target, missing, coupons });
      const isFast = (outlook.pace?.perDay ?? 0) >= (outlook.neededPerDay ?? Number.POSITIVE_INFINITY);
      if (isFast) expect(['DONE', 'ON_PACE']).toContain(advice);
    }
  });
});
