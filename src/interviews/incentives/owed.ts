/**
 * What one person is owed, for being interviewed and for each recruit up to the limit. A pure function of the
 * interviews, the incentives stored so far, and the settings in force when each interview was completed.
 */
import mongoose, { type Types } from 'mongoose';
import type { IncentiveSettings } from '../../study/settings/incentives.ts';
import type { IncentiveRecord } from './model.ts';

/** What matters about an interview here. */
export interface InterviewForIncentives {
  _id: Types.ObjectId;
  /** Whether the interview counts. */
  counts: boolean;
  /** When it was completed, or arrived if the clock was wrong. */
  at: Date;
  location: Types.ObjectId;
  round: Types.ObjectId;
}

/** A payment made at the interview. */
export type Payment = Pick<
  IncentiveRecord,
  'method' | 'reference' | 'paidBy' | 'paidAt' | 'recordedAt' | 'location'
>;

export interface OwedInput {
  survey: InterviewForIncentives;
  /** Everyone who came with a coupon of this person, by `createdAt`. */
  recruits: InterviewForIncentives[];
  /** All incentives of this person so far. */
  incentives: IncentiveRecord[];
  settingsAt: (at: Date) => IncentiveSettings;
  /** What was handed over at this person's own interview, even if it wasn't due. */
  handedOver?: Payment | undefined;
  /** When undoing a change: free places go to recruits who had one before. */
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

/** Neither paid nor withdrawn by a person, so its state follows the tree. */
const isAutomatic = ({ state, byHand }: IncentiveRecord) => state !== 'PAID' && !byHand;

/** Clears the reason, because one from an earlier reopening doesn't apply. */
const withdrawn = (one: IncentiveRecord): IncentiveRecord => ({ ...one, state: 'WITHDRAWN', reason: null });

/** The new and changed incentives, ready to be stored. */
export function changedIncentives(input: OwedInput): IncentiveRecord[] {
  const { incentives, now } = input;
  const stored = new Map(incentives.map((one) => [String(one._id), one]));
  return [...interviewIncentive(input), ...recruitIncentives(input)]
    .filter((one) => stored.get(String(one._id))?.state !== one.state)
    .map((one) => ({ ...one, updatedAt: now }));
}

function interviewIncentive({
  survey,
  incentives,
  settingsAt,
  handedOver,
  now,
}: OwedInput): IncentiveRecord[] {
  const existing = incentives.find(({ kind }) => kind === 'INTERVIEW');
  if (existing) {
    if (!isAutomatic(existing)) return [];
    return [survey.counts ? { ...existing, state: 'DUE' } : withdrawn(existing)];
  }
  const { interview: amount, currency } = settingsAt(survey.at);
  if (amount === null || currency === null || !(survey.counts || handedOver)) return [];
  const incentive = newIncentive({ survey, kind: 'INTERVIEW', recruit: null, amount, currency, now });
  return [handedOver ? { ...incentive, ...handedOver, state: 'PAID' } : incentive];
}

/**
 * DUE incentives keep their place while their recruit counts. Free places go to the earliest recruits without one, up
 * to the limit in force when that recruit's interview was completed.
 */
function recruitIncentives(input: OwedInput): IncentiveRecord[] {
  const { survey, recruits, incentives, settingsAt, withdrawnFirst, now } = input;
  const ofRecruits = incentives.filter(({ kind }) => kind === 'RECRUIT');
  const counting = new Map(recruits.filter((one) => one.counts).map((one) => [String(one._id), one]));
  const isOwed = (one: IncentiveRecord) => one.state === 'DUE' && counting.has(String(one.recruit));
  const changed = ofRecruits
    .filter((one) => isAutomatic(one) && one.state === 'DUE' && !isOwed(one))
    .map(withdrawn);
  let places = ofRecruits.filter((one) => !isAutomatic(one) || isOwed(one)).length;
  const incentiveFor = ({ _id }: InterviewForIncentives) =>
    ofRecruits.find((one) => _id.equals(one.recruit as Types.ObjectId));
  const hadNone = (recruit: InterviewForIncentives) => Number(incentiveFor(recruit) === undefined);
  const inOrder = [...counting.values()];
  if (withdrawnFirst) inOrder.sort((a, b) => hadNone(a) - hadNone(b));
  for (const recruit of inOrder) {
    const existing = incentiveFor(recruit);
    if (existing && (!isAutomatic(existing) || existing.state === 'DUE')) continue;
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
  survey: InterviewForIncentives;
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
