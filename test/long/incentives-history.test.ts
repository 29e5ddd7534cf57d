/**
 * After any sequence of concurrent changes to interviews, coupons, payments and settings, each person is owed what the
 * tree shows, and nothing is paid twice.
 */

import { setIncentives, USD } from '../api/incentive-kit.ts';
import {
  type Chance,
  chanceOf,
  changeSettings,
  expectNoFailure,
  type History,
  nextAct,
} from '../api/incentives-acts.ts';
import { checkIncentives } from '../api/incentives-check.ts';
import { castOfFile, collection, reserve, times } from '../api/kit.ts';
import { ANSWERS, type Body } from '../make.ts';

const cast = castOfFile();
const STEPS = 60;
const AT_ONCE = 3;
const DEVICES = 120;
const MINUTE = 60_000;

const historyOf = (random: Chance, began: number): History => ({
  ...{ cast, random, began },
  surveys: [],
  paid: 0,
});

test.each([1, 2])(
  'incentives match the tree after random actions, seed %d',
  async (seed) => {
    const history = historyOf(chanceOf(seed), Date.now());
    const act = nextAct(history);
    await setIncentives(cast, { ...USD, recruitLimit: 2 });
    for (let at = 0; at < STEPS; at++) {
      // Not concurrent, because interviews sent during a change of settings may follow either.
      if (at % 12 === 11) await changeSettings(history);
      for (const answer of await Promise.all(times(AT_ONCE, act))) expectNoFailure(answer);
    }
    expect(history.surveys.length).toBeGreaterThan(STEPS / 2);
    expect(history.paid).toBeGreaterThan(5);
    await checkIncentives();
  },
  120_000,
);

/** An offline interview: its coupons are known before anything is sent. */
interface UnsentInterview {
  device: number;
  endedAt: number;
  codes: string[];
  referralCode?: string;
}

test.each([4])(
  `incentives match the tree after ${DEVICES} devices sent late, in any order, seed %d`,
  async (seed) => {
    const random = chanceOf(seed);
    const { chance, below, pick } = random;
    const { world, site: location } = cast;
    // Interviews a minute apart; all are sent the next day.
    const began = Date.now();
    world.clock.set(new Date(began));
    const history = historyOf(random, began);
    const unsent: UnsentInterview[] = [];
    const unused: string[] = [];
    const devices = await Promise.all(
      times(DEVICES, async () => await world.person({ role: 'VOLUNTEER', location })),
    );
    for (const [device, person] of devices.entries()) {
      world.clock.advance(MINUTE);
      if (device % 40 === 0) await changeSettings(history);
      const referralCode = chance(0.9) ? unused.splice(below(unused.length), 1)[0] : undefined;
      // Sometimes a code that another interview has too.
      const used = chance(0.05) ? pick(unsent)?.referralCode : undefined;
      const codes = await reserve(person, 3);
      unused.push(...codes);
      const code = used ?? referralCode;
      unsent.push({
        device,
        endedAt: world.clock.now().getTime(),
        codes,
        ...(code && { referralCode: code }),
      });
    }
    world.clock.set(new Date(began + 24 * 60 * MINUTE));
    const act = nextAct(history);
    const send = async ({ device, endedAt, codes, referralCode }: UnsentInterview) => {
      const answer = await devices[device]?.post('/api/surveys', {
        ...{ location, responses: ANSWERS, onCodeProblem: 'FLAG', issuedCodes: codes },
        ...(referralCode ? { referralCode } : {}),
        startedAt: new Date(endedAt - MINUTE),
        completedAt: new Date(endedAt),
        ...(chance(0.4) ? { incentive: { method: 'CASH' } } : {}),
      });
      expect([answer?.status, answer?.body.message]).toEqual([201, undefined]);
      history.surveys.push(answer?.body);
      return answer;
    };
    while (unsent.length > 0) {
      world.clock.advance(1_000);
      const some = times(AT_ONCE, () => unsent.splice(below(unsent.length), 1)).flat();
      for (const answer of await Promise.all([...some.map(send), act()])) expectNoFailure(answer);
    }
    expect(
      history.surveys.filter(({ flags }) => flags.some(({ code }: Body) => code === 'RECRUITER_PENDING'))
        .length,
    ).toBeGreaterThan(DEVICES / 5);
    const owed = await collection('incentives').countDocuments({
      createdAt: { $gt: new Date(began + 12 * 60 * MINUTE) },
    });
    expect(owed).toBeGreaterThan(DEVICES);
    await checkIncentives();
  },
  180_000,
);
