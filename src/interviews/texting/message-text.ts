/**
 * The wording of a text, created when it is sent and never stored. Amounts due are as of the last midnight, so that a
 * text reveals nothing about today. A returned coupon whose recruit isn't paid for counts as not returned, so that no
 * text reveals who wasn't eligible.
 */
import type { ClientSession, Types } from 'mongoose';
import { ReferralCodeModel } from '../../coupons/referral-codes/model.ts';
import { DAY_MS, dayBoundsAt } from '../../platform/lib/day.ts';
import { bestLanguage } from '../../platform/lib/languages/best-language.ts';
import { listLocations } from '../../study/locations/find.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { decryptCard, findGivenGiftCard } from '../cards/give.ts';
import { IncentiveModel } from '../incentives/model.ts';
import { decimalAmount } from '../incentives/totals.ts';
import type { MessageRecord } from '../messages/model.ts';
import type { MessageErrorCode } from '../messages/schema.ts';

export interface TextingContext {
  study: StudyRecord;
  contactKey: string;
  zone: string;
  now: Date;
}

export interface ComposedMessage {
  words: string;
  card: string | null;
  /** MONEY_DUE only: all incentives that it covers, so that no other text is sent about them. */
  incentives: Types.ObjectId[];
}

const KINDS = { MONEY_DUE: 'moneyDue', CARD: 'card', COUPONS_EXPIRE: 'couponsExpire' } as const;

interface PlaceholderValues {
  amount?: string | null;
  days?: number;
  card?: string;
  incentives?: Types.ObjectId[];
}

/** The text, or the reason why there is nothing to say anymore. */
export async function messageText(
  session: ClientSession,
  message: MessageRecord & { survey: Types.ObjectId },
  context: TextingContext,
): Promise<ComposedMessage | MessageErrorCode> {
  const { study } = context;
  const { on, text } = study.messages[KINDS[message.kind]];
  if (!on) return 'TURNED_OFF';
  const template = templateIn(text, message.language, study.languages);
  if (template === null) return 'NO_TEXT';
  const filled = await FILL[message.kind](session, message, context);
  if (typeof filled === 'string') return filled;
  const { amount = null, days, card = null, incentives = [] } = filled;
  const values: Record<string, string> = {
    study: study.name,
    amount: amount === null ? '' : moneyIn(message.language, amount, study),
    sites: await siteNames(),
    days: days === undefined ? '' : String(days),
  };
  const words = template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return { words, card, incentives };
}

/**
 * In the person's language if it is one of the study's, because people have checked those texts; otherwise in the
 * study's first language that has a text.
 */
function templateIn(text: Record<string, string>, language: string, languages: string[]): string | null {
  const textLanguages = Object.keys(text).filter((one) => text[one]?.trim());
  const ofStudy = languages.filter((one) => textLanguages.includes(one));
  const inOrder = ofStudy.length > 0 ? ofStudy : textLanguages;
  const chosen = bestLanguage(inOrder, [language]) ?? inOrder[0];
  return (chosen && text[chosen]?.trim()) || null;
}

function moneyIn(language: string, amount: string, { incentiveCurrency }: StudyRecord): string {
  if (incentiveCurrency === null) return amount;
  const style = { style: 'currency', currency: incentiveCurrency, numberingSystem: 'latn' } as const;
  const money = new Intl.NumberFormat(language, style).format(Number(amount));
  // A no-break space would double the price of the text, and phones show direction marks as boxes.
  return money.replace(/\p{Cf}/gu, '').replace(/\s/g, ' ');
}

const MAX_SITES = 3;
const siteNames = async (): Promise<string> =>
  (await listLocations())
    .slice(0, MAX_SITES)
    .map(({ name }) => name)
    .join(', ');

type Fill = (
  session: ClientSession,
  message: MessageRecord & { survey: Types.ObjectId },
  context: TextingContext,
) => Promise<PlaceholderValues | MessageErrorCode>;

const FILL: Record<MessageRecord['kind'], Fill> = {
  MONEY_DUE: async (session, { survey, incentive }, { study, now, zone }) => {
    const before = dayBoundsAt(now, zone).start;
    const due = await IncentiveModel.find({ survey, state: 'DUE', createdAt: { $lt: before } })
      .session(session)
      .lean();
    if (!due.some(({ _id }) => incentive?.equals(_id))) return 'NOT_DUE';
    const sum = due.reduce((total, { amount }) => total + Number(amount), 0);
    return { amount: decimalAmount(sum, study.incentiveCurrency), incentives: due.map(({ _id }) => _id) };
  },
  CARD: async (session, { incentive }, { contactKey }) => {
    const card = incentive && (await findGivenGiftCard(incentive, session));
    const cardDetails = card?.delivery === 'SMS' ? decryptCard(card, contactKey) : null;
    if (!card || !cardDetails) return 'CARD_VOID';
    const { number, pin, link } = cardDetails;
    const parts = [link, number, pin && `PIN ${pin}`].filter((one) => one !== null);
    return { amount: card.amount, card: parts.join(' ') };
  },
  COUPONS_EXPIRE: async (session, { survey }, context) => {
    const [first] = await couponsExpiringSoon([survey], context, session);
    if (!first) return 'NOT_DUE';
    return { days: Math.max(1, Math.ceil((first.expiresAt.getTime() - context.now.getTime()) / DAY_MS)) };
  },
};

/** Coupons of these people that expire soon and that a text may describe as not returned, first to expire first. */
export async function couponsExpiringSoon(
  surveys: Types.ObjectId[],
  { study, now, zone }: Pick<TextingContext, 'study' | 'now' | 'zone'>,
  session: ClientSession | null = null,
): Promise<{ survey: Types.ObjectId; expiresAt: Date }[]> {
  const until = new Date(now.getTime() + study.messages.couponsExpire.daysBefore * DAY_MS);
  const codes = await ReferralCodeModel.find({
    survey: { $in: surveys },
    state: { $in: ['LIVE', 'USED'] },
    expiresAt: { $gt: now, $lte: until },
  })
    .session(session)
    .sort({ expiresAt: 1 })
    .lean();
  const midnight = dayBoundsAt(now, zone).start;
  const cameBack = codes.filter(({ redeemedAt }) => redeemedAt !== null && redeemedAt < midnight);
  const paysRecruits = [study.incentives, ...study.earlierIncentives.map(({ settings }) => settings)].some(
    ({ recruit }) => recruit !== null,
  );
  const incentives = paysRecruits
    ? await IncentiveModel.find({
        survey: { $in: surveys },
        kind: 'RECRUIT',
        recruit: { $in: cameBack.flatMap(({ redeemedBy }) => redeemedBy ?? []) },
        createdAt: { $lt: midnight },
      })
        .session(session)
        .lean()
    : null;
  const isBack = ({ redeemedBy }: (typeof codes)[number]) =>
    incentives === null || incentives.some(({ recruit }) => redeemedBy?.equals(recruit as Types.ObjectId));
  return codes
    .filter((one) => !(cameBack.includes(one) && isBack(one)))
    .flatMap(({ survey, expiresAt }) => (survey && expiresAt ? [{ survey, expiresAt }] : []));
}
