/**
 * What one person is owed, for being interviewed and for each recruit up to the limit. A pure function of the
 * interviews, of the incentives stored before, and of the settings in force when each interview was completed.
 */
import mongoose, { type Types } from 'mongoose';
import type { IncentiveSettings } from '../../study/settings/incentives.ts';
import type { IncentiveRecord } from './model.ts';

/** What matters of an interview here. */
export interface PaidInterview {
  _id: Types.ObjectId;
  /** Whether it counts. */
  counts: boolean;
  /** When it was completed, or arrived if the clock was wrong. */
  at: Date;
  location: Types.ObjectId;
  round: Types.ObjectId;
}

/** A payment that was made at the interview. */
export type Payment = Pick<
  IncentiveRecord,
  'method' | 'reference' | 'paidBy' | 'paidAt' | 'recordedAt' | 'location'
>;

export interface OwedInput {
  survey: PaidInterview;
  /** Everyone who came with a coupon of this person, by `createdAt`. */
  recruits: PaidInterview[];
  /** All incentives of this person so far. */
  incentives: IncentiveRecord[];
  settingsAt: (at: Date) => IncentiveSettings;
  /** What was handed over at this person's own interview, whether it was due or not. */
  handedOver?: Payment | undefined;
  /** For taking a change back: free places go to recruits who had one before. */
  withdrawnFirst?: boolean | undefined;
  now: Date;
}

export const NO_PAYMENT: Payment = {
  method: null,
  reference: null,
  paidBy: null,
  paidAt: null,
  recordedAt: null,
  location: null,
};

/** Neither paid nor withdrawn by a person: its state follows the tree. */
const followsTree = ({ state, byHand }: IncentiveRecord) => state !== 'PAID' && !byHand;

/** Nobody gave a reason: the one of an earlier reopening is not why. */
const withdrawn = (one: IncentiveRecord): IncentiveRecord => ({ ...one, state: 'WITHDRAWN', reason: null });

/** The incentives that are new or changed, as they are to be stored. */
export function changedIncentives(input: OwedInput): IncentiveRecord[] {
  const { incentives, now } = input;
  const stored = new Map(incentives.map((one) => [String(one._id), one]));
  return [...forInterview(input), ...forRecruits(input)]
    .filter((one) => stored.get(String(one._id))?.state !== one.state)
    .map((one) => ({ ...one, updatedAt: now }));
}

function forInterview({ survey, incentives, settingsAt, handedOver, now }: OwedInput): IncentiveRecord[] {
  const existing = incentives.find(({ kind }) => kind === 'INTERVIEW');
  if (existing) {
    if (!followsTree(existing)) return [];
    return [survey.counts ? { ...existing, state: 'DUE' } : withdrawn(existing)];
  }
  const { interview: amount, currency } = settingsAt(survey.at);
  if (amount === null || currency === null || !(survey.counts || handedOver)) return [];
  const incentive = newIncentive({ survey, kind: 'INTERVIEW', recruit: null, amount, currency, now });
  return [handedOver ? { ...incentive, ...handedOver, state: 'PAID' } : incentive];
}

/**
 * What is DUE keeps its place while its recruit counts. A place that is free goes to the earliest recruit without one, by
 * the limit in force when that recruit's interview was completed.
 */
function forRecruits(input: OwedInput): IncentiveRecord[] {
  const { survey, recruits, incentives, settingsAt, withdrawnFirst, now } = input;
  const ofRecruits = incentives.filter(({ kind }) => kind === 'RECRUIT');
  const counting = new Map(recruits.filter((one) => one.counts).map((one) => [String(one._id), one]));
  const isOwed = (one: IncentiveRecord) => one.state === 'DUE' && counting.has(String(one.recruit));
  const changed = ofRecruits
    .filter((one) => followsTree(one) && one.state === 'DUE' && !isOwed(one))
    .map(withdrawn);
  let places = ofRecruits.filter((one) => !followsTree(one) || isOwed(one)).length;
  const incentiveFor = ({ _id }: PaidInterview) =>
    ofRecruits.find((one) => _id.equals(one.recruit as Types.ObjectId));
  const hadNone = (recruit: PaidInterview) => Number(incentiveFor(recruit) === undefined);
  const inOrder = [...counting.values()];
  if (withdrawnFirst) inOrder.sort((a, b) => hadNone(a) - hadNone(b));
  for (const recruit of inOrder) {
    const existing = incentiveFor(recruit);
    if (existing && (!followsTree(existing) || existing.state === 'DUE')) continue;
    const { recruit: amount, currency, recruitLimit } = settingsAt(recruit.at);
    if (recruitLimit !== null && places >= recruitLimit) continue;
    if (existing) changed.push({ ...existing, state: 'DUE' });
    else if (amount !== null && currency !== null)
      changed.push(newIncentive({ survey, kind: 'RECRUIT', recruit: recruit._id, amount, currency, now }));
    else continue;
    places += 1;
  }
  return changed;
}

function newIncentive({
  survey,
  now,
  ...fields
}: Pick<IncentiveRecord, 'kind' | 'recruit' | 'amount' | 'currency'> & {
  survey: PaidInterview;
  now: Date;
}): IncentiveRecord {
  return {
    _id: new mongoose.Types.ObjectId(),
    survey: survey._id,
    ...fields,
    state: 'DUE',
    byHand: false,
    ...NO_PAYMENT,
    reason: null,
    site: survey.location,
    round: survey.round,
    payments: [],
    createdAt: now,
    updatedAt: now,
  };
}
