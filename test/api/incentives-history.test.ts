/**
 * Whatever happens to interviews, coupons, payments and settings, in any order and at the same time: at the end each person
 * is owed what the tree shows, and nothing is paid twice.
 */
import type { Response } from 'supertest';
import type { IncentiveRecord } from '../../src/incentives/model.ts';
import { incentivesAt } from '../../src/study/incentives.ts';
import { loadStudy } from '../../src/study/model.ts';
import { interviewEnd } from '../../src/surveys/answers.ts';
import { isInTheSampleNow } from '../../src/surveys/counting.ts';
import type { SurveyRecord } from '../../src/surveys/model.ts';
import type { Body } from '../make.ts';
import { pay, setIncentives, USD } from './incentive-kit.ts';
import { castOfFile, collection, draft, times } from './kit.ts';

const cast = castOfFile();
const STEPS = 110;
const AT_ONCE = 3;

/** Park and Miller's generator: the same seed gives the same history. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    chance: (share: number) => next() < share,
    below,
    pick: <T>(some: readonly T[]): T | undefined => some[below(some.length)],
  };
}

test.each([1, 2, 3])(
  'history %d',
  async (seed) => {
    const { chance, below, pick } = randomOf(seed * 7_919);
    const { root } = cast;
    const began = Date.now();
    const surveys: Body[] = [];
    const pending: string[][] = [];
    let paid = 0;

    const submit = async (fields: object) => {
      const times = chance(0.3) ? { completedAt: new Date(began + below(Date.now() - began + 1)) } : {};
      const handed = { incentive: { method: 'CASH' } };
      const more = chance(0.2) ? { status: 'IN_PROGRESS' } : { ...times, ...(chance(0.3) ? handed : {}) };
      const body = {
        onCodeProblem: 'FLAG',
        ...(chance(0.2) ? { takesPart: false } : {}),
        ...more,
        ...fields,
      };
      const answer = await root.post('/api/surveys', draft(cast, body));
      if (answer.status === 201) surveys.push(answer.body);
      return answer;
    };
    const incentive = async (state: string) =>
      pick((await root.get(`/api/incentives?limit=50&state=${state}`).expect(200)).body.data as Body[]);
    const change = async (fields: object) => {
      const one = pick(surveys);
      return one && (await root.patch(`/api/surveys/${one.id}`, fields));
    };

    const review = (state: string) =>
      root.post(`/api/surveys/${pick(surveys)?.id}/review`, { state, comment: 'looked at' });

    const steps: [weight: number, step: () => Promise<Response | undefined>][] = [
      [2, () => submit({})],
      // Often the coupon of an early one, which has been used already.
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
      [2, async () => await root.delete(`/api/surveys/${pick(surveys)?.id}`)],
      [2, async () => await root.post(`/api/surveys/${pick(surveys)?.id}/restore`)],
      [2, () => review('REJECTED')],
      [2, () => review('APPROVED')],
      [
        4,
        async () => {
          const flagged = (await root.get('/api/surveys?flag=REFERRAL_CODE_USED&limit=100').expect(200)).body
            .data;
          const one = pick(flagged.filter((each: Body) => each.referralCode === null) as Body[]);
          const code = one?.flags.find((flag: Body) => flag.code === 'REFERRAL_CODE_USED')?.referralCode;
          const holder = code && (await root.get(`/api/surveys?search=${code}`).expect(200)).body.data;
          const from = holder?.find((each: Body) => each.referralCode === code)?.id;
          if (!one || !from) return undefined;
          return await root.post(`/api/surveys/${one.id}/take-code`, { from, reason: 'copied' });
        },
      ],
      [
        1,
        async () => {
          const code = pick(surveys)?.issuedCodes.at(0);
          return code && (await root.patch(`/api/referral-codes/${code}`, { void: true, reason: 'lost' }));
        },
      ],
      [
        6,
        async () => {
          const due = await incentive('DUE');
          if (!due) return undefined;
          const answers = await Promise.all(times(3, () => pay(root, due.id)));
          const done = answers.filter(({ status }) => status === 200).length;
          expect(done).toBeLessThanOrEqual(1);
          paid += done;
          return answers[0];
        },
      ],
      [
        2,
        async () => {
          const due = await incentive('DUE');
          return due && (await root.post(`/api/incentives/${due.id}/withdraw`, { reason: 'sold' }));
        },
      ],
      [
        2,
        async () => {
          const one = await incentive(chance(0.5) ? 'PAID' : 'WITHDRAWN');
          return one && (await root.post(`/api/incentives/${one.id}/reopen`, { reason: 'a mistake' }));
        },
      ],
    ];
    const bag = steps.flatMap(([weight, step]) => times(weight, () => step));

    await setIncentives(cast, { ...USD, recruitLimit: 2 });
    for (let at = 0; at < STEPS; at++) {
      // Alone: what is sent while the settings change may go by either.
      if (at % 12 === 11) {
        const amounts = { interview: pick(['20.00', '25.00', null]), recruit: pick(['5.00', '10.00', null]) };
        await setIncentives(cast, { ...USD, ...amounts, recruitLimit: pick([1, 2, 3, null]) });
      }
      const answers = await Promise.all(times(AT_ONCE, async () => await pick(bag)?.()));
      for (const answer of answers) {
        if (!answer || answer.status < 400) continue;
        const { status, body } = answer;
        // Refused as it should be, but never a failure of the service.
        if (![400, 404, 409].includes(status)) throw new Error(`${status} ${JSON.stringify(body)}`);
      }
    }
    expect(surveys.length).toBeGreaterThan(STEPS / 2);
    expect(paid).toBeGreaterThan(5);
    await checkAll();
  },
  120_000,
);

/** Compares what is stored with the tree, worked out apart from the service. */
async function checkAll(): Promise<void> {
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
    const amount = incentivesAt(study, interviewEnd(survey)).interview;
    const isSettled = interview?.state === 'PAID' || interview?.byHand;
    if (isInTheSampleNow(survey))
      check(interview ? isSettled || interview.state === 'DUE' : amount === null, 'owed', survey);
    else check(!interview || isSettled || interview.state === 'WITHDRAWN', 'not owed', interview ?? {});

    const ofRecruits = mine.filter(({ kind }) => kind === 'RECRUIT');
    for (const one of ofRecruits) {
      const who = byId.get(String(one.recruit)) as SurveyRecord;
      check(who.recruiter?.equals(survey._id) ?? false, 'for its recruit', one);
      if (one.state === 'DUE') check(isInTheSampleNow(who), 'the recruit counts', one);
    }
    const places = ofRecruits.filter(({ state, byHand }) => state !== 'WITHDRAWN' || byHand).length;
    for (const who of surveys.filter((one) => one.recruiter?.equals(survey._id) && isInTheSampleNow(one))) {
      const found = ofRecruits.find((one) => one.recruit?.equals(who._id));
      if (found && (found.state !== 'WITHDRAWN' || found.byHand)) continue;
      const { recruit, recruitLimit } = incentivesAt(study, interviewEnd(who));
      const isFull = recruitLimit !== null && places >= recruitLimit;
      check(isFull || (!found && recruit === null), 'a place for each', { who, ofRecruits });
    }
  }
  for (const one of all) {
    // Each state follows from the one before: nothing was paid that was paid already.
    const events = await collection('auditevents').find({ record: one._id }).sort({ _id: 1 }).toArray();
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
