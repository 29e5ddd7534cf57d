/** Storing an interview without a route: what belongs to it is stored with it or not at all, and once. */
import { randomBytes, randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import { ReferralCodeModel, type ReferralCodeRecord } from '../../src/coupons/referral-codes/model.ts';
import { SeedModel } from '../../src/coupons/seeds/model.ts';
import { ContactModel } from '../../src/interviews/contacts/model.ts';
import { IncentiveModel } from '../../src/interviews/incentives/model.ts';
import { SurveyModel, type SurveyRecord } from '../../src/interviews/surveys/model.ts';
import { SurveyCreate } from '../../src/interviews/surveys/schema.ts';
import type { SubmissionAuthor } from '../../src/interviews/surveys/submit/submission-author.ts';
import { storeOnce, storeSubmittedSurvey } from '../../src/interviews/surveys/submit/submit.ts';
import { problem } from '../../src/platform/http/problems/problem.ts';
import { codesRedeemed, surveyDeliveryDelay, surveysStoredCounter } from '../../src/platform/lib/metrics.ts';
import { ensureFirstRound, FIRST_ROUND_ID, RoundModel } from '../../src/study/rounds/model.ts';
import { NO_INCENTIVES } from '../../src/study/settings/incentives.ts';
import { createStudyIfMissing, StudyModel, type StudyRecord } from '../../src/study/settings/model.ts';
import {
  able,
  closeDatabase,
  codeOf,
  collection,
  eventsOf,
  HERE,
  HOUR,
  later,
  ME,
  NOW,
  newId,
  openDatabase,
  storedCode,
  storedLocation,
  THERE,
  TIME_ZONE,
} from '../database.ts';
import { ANSWERS, SMALL_QUESTIONNAIRE } from '../make.ts';

const config = {
  contactKey: randomBytes(32).toString('hex'),
  identityKey: 'a key for tests alone',
  defaultRegion: 'US',
  otpCountries: ['US'],
} as unknown as SubmissionAuthor['config'];

const QUESTIONNAIRE = newId();
const WITH_IDENTITY = newId();

beforeAll(async () => {
  await openDatabase();
  await createStudyIfMissing(later(-900 * HOUR));
  await ensureFirstRound(later(-900 * HOUR));
  await storedLocation(HERE);
  await storedLocation(THERE);
  const version = {
    ...SMALL_QUESTIONNAIRE,
    version: 1,
    createdBy: null,
    createdAt: later(-900 * HOUR),
    deletedAt: null,
  };
  const { pages } = SMALL_QUESTIONNAIRE.definition;
  const name = { type: 'text', name: 'initials' };
  const withIdentity = { pages: [{ ...pages[0], elements: [...(pages[0]?.elements ?? []), name] }] };
  await collection('questionnaires').insertMany([
    { ...version, _id: QUESTIONNAIRE, active: true },
    {
      ...{ ...version, _id: WITH_IDENTITY, name: 'With identity questions', active: false },
      ...{ definition: withIdentity, identityQuestions: ['initials'] },
    },
  ]);
});
afterAll(closeDatabase);

/** Settings of the study while the tests of a group run. */
const withSettings = (settings: Partial<StudyRecord>) => {
  let before: StudyRecord | null;
  beforeAll(async () => {
    before = await StudyModel.findOne().lean<StudyRecord>();
    await StudyModel.collection.updateOne({}, { $set: settings });
  });
  afterAll(async () => {
    await StudyModel.collection.replaceOne({}, before as never);
  });
};

const sender = (fields: Partial<SubmissionAuthor> = {}): SubmissionAuthor => ({
  owner: ME,
  ownerSince: later(-900 * HOUR),
  by: ME,
  now: NOW,
  zone: TIME_ZONE,
  config,
  mayStore: () => {},
  mayReplay: () => {},
  ...fields,
});

const body = (fields: object = {}): SurveyCreate =>
  SurveyCreate.parse({
    ...{ location: String(HERE), clientId: randomUUID(), responses: ANSWERS },
    ...{ startedAt: later(-HOUR).toISOString(), completedAt: later(-HOUR / 2).toISOString(), ...fields },
  });

const submit = (fields: object = {}, by: Partial<SubmissionAuthor> = {}) =>
  storeOnce(sender(by), body(fields));

const stored = (_id: SurveyRecord['_id']) => SurveyModel.findById(_id).lean<SurveyRecord>();

const recruitersCoupon = (fields: Partial<ReferralCodeRecord> = {}) =>
  storedCode({
    ...{ createdAt: later(-99 * HOUR), handedOutAt: later(-99 * HOUR), round: FIRST_ROUND_ID },
    ...{ survey: newId(), chain: newId(), wave: 1, location: THERE, ...fields },
  });

async function counters() {
  const outcomes = (await surveysStoredCounter.get()).values;
  const of = (outcome: string) => outcomes.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  const delay = (await surveyDeliveryDelay.get()).values;
  const delayed = (suffix: string) =>
    delay.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
  return {
    ...{ new: of('new'), flagged: of('flagged'), replay: of('replay') },
    redeemed: (await codesRedeemed.get()).values[0]?.value ?? 0,
    ...{ delays: delayed('_count'), seconds: delayed('_sum') },
  };
}

/** What `act` adds to the metrics, without zeros. */
async function counted(act: () => Promise<unknown>): Promise<object> {
  const before = await counters();
  await act();
  const after = Object.entries(await counters());
  const added = after.map(([name, value]) => [name, value - before[name as keyof typeof before]]);
  return Object.fromEntries(added.filter(([, more]) => more !== 0));
}

describe('an interview', () => {
  test('is stored with its place, its coupons and an audit event', async () => {
    const coupon = await recruitersCoupon();
    const { created, survey, contact } = await submit({ referralCode: coupon.code });
    expect([created, contact]).toEqual([true, null]);
    expect(await stored(survey._id)).toEqual(survey);
    expect(survey).toMatchObject({
      ...{ referralCode: coupon.code, seed: coupon.chain, recruiter: coupon.survey, wave: 2, flags: [] },
      ...{ round: FIRST_ROUND_ID, heldAt: later(-HOUR), status: 'COMPLETED', createdBy: ME, location: HERE },
    });
    const codes = await ReferralCodeModel.find({ survey: survey._id }).lean();
    expect(codes.map(({ code }) => code).sort()).toEqual([...survey.issuedCodes].sort());
    expect(codes).toHaveLength(3);
    expect(await codeOf(coupon.code)).toMatchObject({ state: 'USED', redeemedBy: survey._id });
    const event = { by: ME, action: 'create', subject: 'Survey', location: HERE, createdAt: NOW };
    expect(await eventsOf(survey._id)).toEqual([expect.objectContaining(event)]);
  });

  test('with a clock that its coupon shows to be wrong is stored with the corrected date', async () => {
    const coupon = await recruitersCoupon({ createdAt: later(-20 * HOUR), handedOutAt: later(-20 * HOUR) });
    const times = {
      startedAt: later(-40 * HOUR).toISOString(),
      completedAt: later(-39 * HOUR).toISOString(),
    };
    const { survey } = await submit({ referralCode: coupon.code, ...times });
    expect(survey).toMatchObject({ heldAt: NOW, flags: [{ code: 'CLOCK_ODD' }] });
  });

  test('has the flags of its content, its coupon and its own coupons, in this order', async () => {
    const { survey } = await submit({
      ...{ referralCode: generateCode(randomBytes), issuedCodes: ['hello!'], statusHash: 'short' },
      onCodeProblem: 'FLAG',
    });
    const codes = ['STATUS_REFUSED', 'REFERRAL_CODE_UNKNOWN', 'ISSUED_CODE_REFUSED'];
    expect(survey.flags.map(({ code }) => code)).toEqual(codes);
    expect((await stored(survey._id))?.flags.map(({ code }) => code)).toEqual(codes);
  });

  test('is linked to the recruits that arrived before it', async () => {
    const { code } = await storedCode({ state: 'RESERVED', reservedBy: ME, createdAt: later(-99 * HOUR) });
    const recruit = (await submit({ referralCode: code })).survey;
    expect([recruit.recruiter, recruit.flags.map((one) => one.code)]).toEqual([null, ['RECRUITER_PENDING']]);
    const { survey } = await submit({ issuedCodes: [code] });
    const { seed, wave, recruiter, flags } = (await stored(recruit._id)) as SurveyRecord;
    expect([recruiter, seed, wave, flags]).toEqual([survey._id, survey.seed, 1, []]);
  });

  test('that may not be stored leaves nothing behind', async () => {
    const [clientId, coupon] = [randomUUID(), await recruitersCoupon()];
    const refusal = () => {
      throw problem('FORBIDDEN');
    };
    const attempt = submit({ clientId, referralCode: coupon.code }, { mayStore: refusal });
    await expect(attempt).rejects.toMatchObject({ name: 'FORBIDDEN' });
    expect(await SurveyModel.exists({ clientId })).toBeNull();
    expect(await codeOf(coupon.code)).toMatchObject({ state: 'LIVE' });
  });

  test('whose hash of a secret is taken is stored without it', async () => {
    const statusHash = 'a'.repeat(64);
    const first = (await submit({ statusHash })).survey;
    const second = (await submit({ statusHash })).survey;
    expect([first.statusHash, second.statusHash]).toEqual([statusHash, undefined]);
    expect(second.flags.map(({ code }) => code)).toEqual(['STATUS_REFUSED']);
  });
});

describe('what changes while an interview is being stored', () => {
  /** Changes a seed's coupon, and perhaps more, when the transaction has begun. */
  async function submitDuring(change: object, more: () => Promise<unknown> = async () => {}) {
    const { _id, code } = await storedCode({
      seed: newId(),
      round: FIRST_ROUND_ID,
      createdAt: later(-99 * HOUR),
    });
    const { collection: seeds } = SeedModel;
    const updateOne = seeds.updateOne.bind(seeds);
    let count = 0;
    const spy = vi.spyOn(seeds, 'updateOne').mockImplementation((async (
      ...args: Parameters<typeof updateOne>
    ) => {
      count += 1;
      if (count === 1) {
        await ReferralCodeModel.updateOne({ _id }, { $set: change });
        await more();
      }
      return await updateOne(...args);
    }) as never);
    try {
      return await submit({ referralCode: code });
    } finally {
      spy.mockRestore();
    }
  }

  test('is read again: a coupon that is still good is redeemed', async () => {
    const { survey } = await submitDuring({ handedOutAt: later(-50 * HOUR) });
    expect(survey).toMatchObject({ wave: 0, flags: [] });
    expect(await codeOf(survey.referralCode ?? '')).toMatchObject({ state: 'USED', daysOut: 2 });
  });

  test('is read again: a coupon that was voided is refused', async () => {
    await expect(submitDuring({ state: 'VOID' })).rejects.toMatchObject({ name: 'REFERRAL_CODE_VOID' });
  });

  test('is read again: so are the rounds', async () => {
    const close = (closedAt: Date | null) =>
      RoundModel.updateOne({ _id: FIRST_ROUND_ID }, { $set: { closedAt } });
    const attempt = submitDuring({ handedOutAt: later(-50 * HOUR) }, () => close(later(-2 * HOUR)));
    await expect(attempt).rejects.toMatchObject({ name: 'REFERRAL_CODE_EXPIRED' });
    await close(null);
  });
});

describe('an interview that is sent again', () => {
  test('is stored once, and returned as stored', async () => {
    const [request, coupon] = [{ clientId: randomUUID() }, await recruitersCoupon()];
    const first = await submit({ ...request, referralCode: coupon.code });
    const again = await submit({ ...request, referralCode: coupon.code });
    expect(again).toEqual({ created: false, survey: first.survey, contact: null });
    expect(await SurveyModel.countDocuments(request)).toBe(1);
    expect(await ReferralCodeModel.countDocuments({ survey: first.survey._id })).toBe(3);
  });

  test('is not told to somebody who may not know of it', async () => {
    const clientId = randomUUID();
    await submit({ clientId });
    const mayReplay = () => {
      throw problem('NOT_FOUND');
    };
    await expect(submit({ clientId }, { mayReplay })).rejects.toMatchObject({ name: 'NOT_FOUND' });
  });

  test('while the database is away fails, and may be sent again', async () => {
    const clientId = randomUUID();
    await submit({ clientId });
    const mayReplay = vi.fn();
    const mayStore = () => {
      throw new mongoose.mongo.MongoNetworkError('away');
    };
    await expect(submit({ clientId }, { mayStore, mayReplay })).rejects.toThrow('away');
    expect(mayReplay).not.toHaveBeenCalled();
  });

  test('by a caller with a role is its own, also if they may no longer read it', async () => {
    const request = body({ clientId: randomUUID() });
    const user = { _id: ME, createdAt: later(-900 * HOUR) };
    const actor = { user, location: HERE, now: NOW, zone: TIME_ZONE, ...able('VOLUNTEER') } as never;
    const first = await storeSubmittedSurvey(actor, request, config);
    expect(first).toMatchObject({ created: true, survey: { createdBy: ME, createdAt: NOW } });
    const moved = { ...(actor as object), location: THERE, ability: able('VOLUNTEER').ability } as never;
    expect((await storeSubmittedSurvey(moved, request, config)).created).toBe(false);
    const other = body({ location: String(THERE) });
    const manager = { ...(actor as object), ...able('MANAGER') } as never;
    await expect(storeSubmittedSurvey(manager, other, config)).rejects.toMatchObject({ name: 'FORBIDDEN' });
  });
});

describe('the metrics', () => {
  const HALF_HOUR = { delays: 1, seconds: 1800 };

  test('count each interview once: new, flagged or sent again', async () => {
    const { code } = await recruitersCoupon();
    const request = { clientId: randomUUID(), referralCode: code };
    expect(await counted(() => submit(request))).toEqual({ new: 1, redeemed: 1, ...HALF_HOUR });
    expect(await counted(() => submit(request))).toEqual({ replay: 1 });
    const unknown = { referralCode: generateCode(randomBytes), onCodeProblem: 'FLAG' };
    expect(await counted(() => submit(unknown))).toEqual({ flagged: 1, ...HALF_HOUR });
    const failing = { ...unknown, onCodeProblem: 'REJECT' };
    expect(await counted(() => submit(failing).catch(() => {}))).toEqual({});
  });

  test('have no delay for an unfinished interview, and none below zero', async () => {
    const unfinished = { status: 'IN_PROGRESS', completedAt: undefined, responses: {} };
    expect(await counted(() => submit(unfinished))).toEqual({ new: 1, redeemed: 1 });
    const ahead = { completedAt: later(HOUR).toISOString() };
    expect(await counted(() => submit(ahead))).toEqual({ new: 1, redeemed: 1, delays: 1 });
  });
});

describe('with incentives', () => {
  const incentives = { ...NO_INCENTIVES, currency: 'USD', interview: '20.00', recruit: '10.00' };
  withSettings({ incentives, incentiveCurrency: 'USD' });

  test('what was handed over is paid, and what the recruiter earned is owed at their site', async () => {
    const { code, survey: recruiter } = await recruitersCoupon();
    const { survey } = await submit({ referralCode: code, incentive: { method: 'CASH' } });
    const owed = await IncentiveModel.find({ survey: { $in: [survey._id, recruiter] } }).lean();
    const byKind = Object.fromEntries(owed.map((one) => [one.kind, one]));
    expect(byKind.INTERVIEW).toMatchObject({ survey: survey._id, state: 'PAID', location: HERE });
    expect(byKind.RECRUIT).toMatchObject({ survey: recruiter, state: 'DUE', site: THERE });
    expect(survey.flags).toEqual([]);
  });

  test('nothing is paid unless something was handed over', async () => {
    const { survey } = await submit();
    expect(await IncentiveModel.find({ survey: survey._id }).lean()).toMatchObject([{ state: 'DUE' }]);
  });

  test('what was handed over without being due is flagged after the content, before the coupon', async () => {
    const { survey } = await submit({
      ...{ takesPart: false, incentive: { method: 'CASH' }, statusHash: 'short' },
      ...{ referralCode: generateCode(randomBytes), onCodeProblem: 'FLAG' },
    });
    expect(survey.flags.map(({ code }) => code)).toEqual([
      ...['STATUS_REFUSED', 'INCENTIVE_NOT_DUE', 'REFERRAL_CODE_UNKNOWN'],
    ]);
  });

  test('the recruits that arrived before their recruiter earn for them', async () => {
    const { code } = await storedCode({ state: 'RESERVED', reservedBy: ME, createdAt: later(-99 * HOUR) });
    await submit({ referralCode: code });
    const { survey } = await submit({ issuedCodes: [code] });
    const owed = await IncentiveModel.find({ survey: survey._id }).lean();
    expect(owed.map(({ kind }) => kind).sort()).toEqual(['INTERVIEW', 'RECRUIT']);
  });
});

describe('with texts', () => {
  withSettings({ contacts: 'SMS' });
  const contact = { phone: '+12065550123', language: 'en', consent: true };

  test('the contact is stored with the interview, and returned once', async () => {
    const request = { clientId: randomUUID(), contact };
    const { survey, contact: returned } = await submit(request);
    expect(returned).toMatchObject({ _id: survey._id, state: 'ACTIVE', language: 'en' });
    expect(await ContactModel.findById(survey._id).lean()).toMatchObject({ state: 'ACTIVE' });
    expect((await submit(request)).contact).toBeNull();
  });

  test('without a contact none is stored', async () => {
    const { survey, contact } = await submit();
    expect([contact, await ContactModel.exists({ _id: survey._id })]).toEqual([null, null]);
  });
});

describe('with identity questions', () => {
  withSettings({ repeatCheck: true });

  test('a second interview with the same answers is noted as a possible repeat; the first is not', async () => {
    const responses = { ...ANSWERS, initials: 'AB 1970' };
    const request = { questionnaire: String(WITH_IDENTITY), responses };
    const [first, second] = [(await submit(request)).survey, (await submit(request)).survey];
    expect([first.repeat, second.repeat?.strength]).toEqual([undefined, expect.any(String)]);
    expect((await stored(second._id))?.repeat).toEqual(second.repeat);
    expect(second.responses).not.toHaveProperty('initials');
    const { survey } = await submit();
    expect(survey).not.toHaveProperty('repeat');
  });
});
