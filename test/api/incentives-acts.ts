/** Random actions of a super-admin on interviews, coupons, payments and settings, in any order. */
import type { Response } from 'supertest';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { ANSWERS, type Body } from '../make.ts';
import { pay, setIncentives, USD } from './incentive-kit.ts';
import { type Cast, draft, times } from './kit.ts';

export type Chance = ReturnType<typeof chanceOf>;

export function chanceOf(seed: number) {
  const { uniform, below } = randomStream(seed, 'history');
  return {
    below,
    chance: (share: number) => uniform() < share,
    pick: <T>(some: readonly T[]): T | undefined => some[below(some.length)],
  };
}

type Act = () => Promise<Response | undefined>;

export interface History {
  cast: Cast;
  random: Chance;
  began: number;
  /** As they were submitted. */
  surveys: Body[];
  /** How many payments were made. */
  paid: number;
}

/** A random action, which has no effect if there is nothing to apply it to. */
export function nextAct(history: History): Act {
  const acts = [...interviewActs(history), ...reviewActs(history), ...paymentActs(history)];
  const bag = acts.flatMap(([weight, act]) => times(weight, () => act));
  return async () => await history.random.pick(bag)?.();
}

/** Either succeeds or is rejected properly, but is never a 500. */
export function expectNoFailure(answer: Response | undefined): void {
  if (answer && answer.status >= 400 && ![400, 404, 409].includes(answer.status))
    throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

export async function changeSettings({ cast, random: { pick } }: History): Promise<void> {
  const amounts = { interview: pick(['20.00', '25.00', null]), recruit: pick(['5.00', '10.00', null]) };
  await setIncentives(cast, { ...USD, ...amounts, recruitLimit: pick([1, 2, 3, null]) });
}

type Weighted = [weight: number, act: Act];

function interviewActs({ cast, random, began, surveys }: History): Weighted[] {
  const { chance, below, pick } = random;
  const { root } = cast;
  const pending: string[][] = [];
  const submit = async (fields: object) => {
    const ended = chance(0.3) ? { completedAt: new Date(began + below(Date.now() - began + 1)) } : {};
    const handed = { incentive: { method: 'CASH' } };
    const more = chance(0.2) ? { status: 'IN_PROGRESS' } : { ...ended, ...(chance(0.3) ? handed : {}) };
    const decline = chance(0.2) ? { takesPart: false } : {};
    const body = { onCodeProblem: 'FLAG', ...decline, ...more, ...fields };
    const answer = await root.post('/api/surveys', draft(cast, body));
    if (answer.status === 201) surveys.push(answer.body);
    return answer;
  };
  const change = async (fields: object) => {
    const one = pick(surveys);
    return one && (await root.patch(`/api/surveys/${one.id}`, fields));
  };
  return [
    [2, () => submit({})],
    // Often the coupon of an early interview, which is already used.
    [8, () => submit({ referralCode: pick(surveys.slice(0, 8))?.issuedCodes.at(below(3)) })],
    [
      1,
      async () => {
        const { codes } = (await root.post('/api/referral-codes/blocks', { count: 3 }).expect(201)).body;
        pending.push(codes);
        return await submit({ referralCode: codes[0] });
      },
    ],
    [1, async () => (pending.length > 0 ? await submit({ issuedCodes: pending.pop() }) : undefined)],
    [2, () => change({ status: 'COMPLETED' })],
    [1, () => change({ takesPart: false })],
    [2, () => change({ takesPart: true })],
    [1, () => change({ responses: { ...ANSWERS, networkSize: below(30) } })],
    [1, () => change({ referralCode: pick(surveys)?.issuedCodes.at(below(3)), reason: 'Typed wrong.' })],
    [2, async () => await root.delete(`/api/surveys/${pick(surveys)?.id}`)],
    [2, async () => await root.post(`/api/surveys/${pick(surveys)?.id}/restore`)],
    [
      1,
      async () => {
        const code = pick(surveys)?.issuedCodes.at(0);
        return code && (await root.patch(`/api/referral-codes/${code}`, { void: true, reason: 'lost' }));
      },
    ],
  ];
}

function reviewActs({ cast: { root }, random: { pick }, surveys }: History): Weighted[] {
  const review = (state: string) =>
    root.post(`/api/surveys/${pick(surveys)?.id}/review`, { state, comment: 'looked at' });
  const takeCode = async () => {
    const flagged = (await root.get('/api/surveys?flag=REFERRAL_CODE_USED&limit=100').expect(200)).body.data;
    const one = pick(flagged.filter((each: Body) => each.referralCode === null) as Body[]);
    const code = one?.flags.find((flag: Body) => flag.code === 'REFERRAL_CODE_USED')?.referralCode;
    const holder = code && (await root.get(`/api/surveys?search=${code}`).expect(200)).body.data;
    const from = holder?.find((each: Body) => each.referralCode === code)?.id;
    if (!one || !from) return undefined;
    return await root.post(`/api/surveys/${one.id}/take-code`, { from, reason: 'copied' });
  };
  return [
    [2, async () => await review('REJECTED')],
    [2, async () => await review('APPROVED')],
    [1, async () => await review('HAS_ISSUES')],
    [4, takeCode],
  ];
}

function paymentActs(history: History): Weighted[] {
  const { chance, pick } = history.random;
  const { root } = history.cast;
  const incentive = async (state: string) =>
    pick((await root.get(`/api/incentives?limit=50&state=${state}`).expect(200)).body.data as Body[]);
  const payThreeTimes = async () => {
    const due = await incentive('DUE');
    if (!due) return undefined;
    const answers = await Promise.all(times(3, () => pay(root, due.id)));
    const paidCount = answers.filter(({ status }) => status === 200).length;
    expect(paidCount).toBeLessThanOrEqual(1);
    history.paid += paidCount;
    return answers[0];
  };
  const withdraw = async () => {
    const due = await incentive('DUE');
    return due && (await root.post(`/api/incentives/${due.id}/withdraw`, { reason: 'sold' }));
  };
  const reopen = async () => {
    const one = await incentive(chance(0.5) ? 'PAID' : 'WITHDRAWN');
    return one && (await root.post(`/api/incentives/${one.id}/reopen`, { reason: 'a mistake' }));
  };
  return [
    [6, payThreeTimes],
    [2, withdraw],
    [2, reopen],
  ];
}
