/**
 * A respondent's own page: how many of their coupons were returned, and their money. Only totals, as of the last
 * midnight, so that neither the recruiter nor anyone else who has the secret learns when somebody came.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose, { type Types } from 'mongoose';
import { ReferralCodeModel, type ReferralCodeRecord } from '../../coupons/referral-codes/model.ts';
import { normalizePageSecret } from '../../coupons/referral-codes/secret.ts';
import { AuditEventModel, type AuditEventRecord } from '../../platform/audit/model.ts';
import type { Config } from '../../platform/config.ts';
import {
  countAgainstLimit,
  networkPrefixOfAddress,
  type RateLimit,
} from '../../platform/http/limits/rate-limits.ts';
import { dayBoundsAt } from '../../platform/lib/day.ts';
import { listLocations } from '../../study/locations/find.ts';
import { hasIncentives, incentiveCurrency } from '../../study/settings/incentives.ts';
import { loadStudy, type StudyRecord } from '../../study/settings/model.ts';
import { IncentiveModel, type IncentiveRecord } from '../incentives/model.ts';
import { decimalAmount } from '../incentives/totals.ts';
import { SurveyModel, type SurveyRecord } from '../surveys/model.ts';

/** Enough for everyone on a shelter's Wi-Fi. Unknown secrets count too. */
const STATUS_LIMIT: RateLimit = { name: 'status', points: 300, duration: 3_600 };

/** Minimum response time, so that timing doesn't reveal whether a secret exists, or how much there is to count. */
const ANSWER_AFTER_MS = 150;

export const limitStatusRequests = async (address: string, { rateLimits }: Config): Promise<void> => {
  if (rateLimits) await countAgainstLimit(STATUS_LIMIT, networkPrefixOfAddress(address));
};

export const hashStatusSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** `totals` is null if no phone created this secret, or if the study has no such pages. */
export async function findRespondentStatus(text: string, now: Date, { timeZone }: Config) {
  const [status] = await Promise.all([readStatus(text, now, timeZone), pause(ANSWER_AFTER_MS)]);
  return status;
}

export type RespondentStatusTotals = NonNullable<Awaited<ReturnType<typeof readStatus>>['totals']>;

async function readStatus(text: string, now: Date, timeZone: string) {
  const secret = normalizePageSecret(text);
  const statusHash = hashStatusSecret(secret ?? '');
  const [study, sites, survey] = await Promise.all([
    loadStudy(),
    listLocations(),
    SurveyModel.findOne({ statusHash }, { createdAt: 1 }).lean<Pick<SurveyRecord, '_id' | 'createdAt'>>(),
  ]);
  const zone = study.timeZone ?? timeZone;
  const asOf = dayBoundsAt(now, zone).start;
  // Runs the same queries even if the secret doesn't exist.
  const id = survey?._id ?? new mongoose.Types.ObjectId();
  const [coupons, incentives] = await Promise.all([countCoupons(id, asOf), sumIncentives(id, asOf, study)]);
  if (!secret || !survey || study.statusPage === 'OFF') return { study, sites, totals: null };
  const returned = paidForRecruits(study, survey.createdAt) ? null : coupons.returned;
  return { study, sites, totals: { asOf, zone, coupons: { ...coupons, returned }, incentives } };
}

async function countCoupons(survey: Types.ObjectId, asOf: Date) {
  const codes = await ReferralCodeModel.find(
    { survey },
    { handedOutAt: 1, createdAt: 1, redeemedAt: 1 },
  ).lean<ReferralCodeRecord[]>();
  const issuedCodes = codes.filter(({ handedOutAt, createdAt }) => (handedOutAt ?? createdAt) < asOf);
  // By when the service received them, not by interview date, so that the figures don't change during the day.
  const returned = issuedCodes.filter(({ redeemedAt }) => redeemedAt && redeemedAt < asOf);
  return { given: issuedCodes.length, returned: returned.length };
}

/**
 * Whether recruits were paid for at any time since then. If so, returned coupons that aren't paid would reveal who
 * wasn't eligible.
 */
const paidForRecruits = ({ incentives, earlierIncentives }: StudyRecord, since: Date): boolean =>
  incentives.recruit !== null ||
  earlierIncentives.some(({ until, settings }) => until > since && settings.recruit !== null);

async function sumIncentives(survey: Types.ObjectId, asOf: Date, study: StudyRecord) {
  const stored = await IncentiveModel.find({ survey, createdAt: { $lt: asOf } }).lean<IncentiveRecord[]>();
  const ids = stored.map(({ _id }) => _id);
  const changes = await AuditEventModel.find(
    { record: { $in: ids.length > 0 ? ids : [survey] }, createdAt: { $gte: asOf } },
    { record: 1, changes: 1 },
  )
    .sort({ createdAt: 1, _id: 1 })
    .lean<AuditEventRecord[]>();
  const currency = incentiveCurrency(study);
  if (!hasIncentives(study) || currency === null) return null;
  const then = stored.map((one) => valuesBefore(one, changes));
  const total = (targetState: IncentiveRecord['state']) => {
    const sum = then
      .filter(({ state }) => state === targetState)
      .reduce((all, one) => all + Number(one.amount), 0);
    return decimalAmount(sum, currency) ?? '';
  };
  return { currency, due: total('DUE'), paid: total('PAID') };
}

/** The values before these changes, which are in order, so that the first change of each field has it. */
function valuesBefore({ _id, state, amount }: IncentiveRecord, events: AuditEventRecord[]) {
  const changes = events.filter(({ record }) => record.equals(_id)).flatMap((event) => event.changes);
  const was = <T>(path: string, now: T): T => {
    const change = changes.find((one) => one.path === path);
    return change ? (change.before as T) : now;
  };
  return { state: was('state', state), amount: was('amount', amount) };
}
