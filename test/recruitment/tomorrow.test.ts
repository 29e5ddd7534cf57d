/** What sites need tomorrow: its return curve against a plain count, and its bounds on simulated studies. */
import {
  couponReturnRates,
  forecastDays,
  type HandedOutCoupon,
  MIN_RETURNS,
  returnCurve,
} from '../../src/board/recruitment/tomorrow/returns.ts';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';

const pays = { interview: 20, recruit: 10 };

test('the return curve is Kaplan-Meier’s: coupons not back yet are censored', () => {
  const coupons: HandedOutCoupon[] = [
    { days: 1, isReturned: true },
    { days: 3, isReturned: true },
    { days: 10, isReturned: false, expiresIn: null },
    { days: 10, isReturned: false, expiresIn: null },
  ];
  const curve = returnCurve(couponReturnRates(coupons));
  expect(curve[0]?.share).toBe(0);
  expect(curve[1]?.share).toBeCloseTo(1 / 4);
  expect(curve[3]?.share).toBeCloseTo(1 - (3 / 4) * (2 / 3));
});

test('an expired coupon is not expected to return', () => {
  const back = Array.from({ length: MIN_RETURNS }, () => ({ days: 2, isReturned: true }));
  const past = { people: Array(28).fill(0), walkIns: Array(28).fill(0), couponsEach: 0, seed: 1, pays };
  const expired = [...back, { days: 1, isReturned: false }];
  const none = { low: 0, high: 0 };
  expect(forecastDays({ ...past, hazard: couponReturnRates(expired), coupons: expired })[0]).toEqual({
    expected: 0,
    ...none,
    money: none,
  });
});

test('nobody is paid for having recruited a walk-in', () => {
  const people = Array(28).fill(10);
  const past = { hazard: [], coupons: [], people, walkIns: people, couponsEach: 3, seed: 1, pays };
  const [tomorrow] = forecastDays(past);
  expect(tomorrow?.expected).toBeGreaterThan(8);
  expect(tomorrow?.money).toEqual({ low: 20 * (tomorrow?.low ?? 0), high: 20 * (tomorrow?.high ?? 0) });
});

const WEEKDAYS = [1, 1.3, 0.8, 1.1, 1.2, 0.6, 1];

/** A study whose coupons come back with a chance of their own, at weekdays that differ, with days of rain. */
function simulated(seed: number, days: number, rain: number) {
  const { uniform } = randomStream(seed, 'study');
  const coupons: { out: number; back: number | null }[] = [];
  const people: number[] = [];
  const walkIns: number[] = [];
  const VALID = 21;
  for (let day = 0; day < days; day++) {
    const factor = WEEKDAYS[day % 7]! * (uniform() < 0.2 ? 1 - rain : 1 + rain / 4);
    let [came, walked] = [0, 0];
    for (const one of coupons) {
      const age = day - one.out;
      if (one.back !== null || age > VALID || age < 1) continue;
      if (uniform() < (age < 8 ? 0.045 : 0.02) * factor) [one.back, came] = [day, came + 1];
    }
    for (let at = 0; at < 8; at++) if (uniform() < 0.25 * factor) walked++;
    people.push(came + walked);
    walkIns.push(walked);
    for (let at = 0; at < 2 * (came + walked); at++) coupons.push({ out: day, back: null });
  }
  const asKnown = (today: number) =>
    coupons
      .filter(({ out }) => out < today)
      .map(({ out, back }): HandedOutCoupon => {
        if (back !== null && back < today) return { days: back - out, isReturned: true };
        const age = today - out;
        return age > VALID
          ? { days: VALID, isReturned: false }
          : { days: age, isReturned: false, expiresIn: VALID - age };
      });
  return { people, walkIns, asKnown };
}

test.each([
  ['steady days', 0],
  ['days of rain', 0.5],
])('on simulated studies with %s the interval holds 70 to 90 % of days', (name, rain) => {
  let [coveredCount, all, ahead] = [0, 0, 0];
  for (let seed = 0; seed < 60; seed++) {
    const { people, walkIns, asKnown } = simulated(seed, 75, rain);
    const last = (counts: number[], today: number) => counts.slice(today - 28, today).reverse();
    for (const today of [45, 52, 60, 66]) {
      const past = { people: last(people, today), walkIns: last(walkIns, today) };
      const coupons = asKnown(today);
      if (coupons.filter(({ isReturned }) => isReturned).length < MIN_RETURNS) continue;
      const days = forecastDays({
        hazard: couponReturnRates(coupons),
        coupons,
        ...past,
        couponsEach: 2,
        seed,
        pays,
      });
      days.forEach(({ low, high }, at) => {
        const came = people[today + 1 + at] ?? 0;
        const isHeld = came >= low && came <= high;
        coveredCount += isHeld ? 1 : 0;
        all++;
        if (at === 0 && isHeld) ahead++;
      });
    }
  }
  const share = coveredCount / all;
  console.log(
    `${name}: the 80 % interval holds ${(100 * share).toFixed(1)} % of ${all} days, ${((100 * ahead * 7) / all).toFixed(1)} % of first days`,
  );
  expect(share).toBeGreaterThan(0.7);
  expect(share).toBeLessThan(0.9);
  const first = (7 * ahead) / all;
  expect(first).toBeGreaterThan(0.7);
  expect(first).toBeLessThan(0.9);
});
