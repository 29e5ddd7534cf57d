/** Queues texts that aren't triggered by a change: reminders that coupons expire soon. */
import type { Types } from 'mongoose';
import { inTransaction } from '../../platform/db/transaction.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { ContactModel, type ContactRecord } from '../contacts/model.ts';
import { MessageModel } from '../messages/model.ts';
import { newMessage, queueMessages } from '../messages/queue.ts';
import { couponsExpiringSoon, type TextingContext } from './message-text.ts';
import { isInQuietHours, randomTextingTime, randomTimeAfterQuietHours } from './quiet-hours.ts';

const BATCH_SIZE = 200;

export async function queueCouponExpiryTexts(context: TextingContext): Promise<void> {
  const { study, now, zone } = context;
  if (!study.messages.couponsExpire.on) return;
  const around = { quietHours: study.quietHours, zone };
  let last: Types.ObjectId | null = null;
  for (;;) {
    const some: ContactRecord[] = await ContactModel.find({
      state: 'ACTIVE',
      ...(last ? { _id: { $gt: last } } : {}),
    })
      .sort({ _id: 1 })
      .limit(BATCH_SIZE)
      .lean<ContactRecord[]>();
    if (some.length === 0) return;
    last = some.at(-1)?._id ?? null;
    const surveys = some.map(({ _id }) => _id);
    const earlierMessages = await MessageModel.find({
      survey: { $in: surveys },
      kind: 'COUPONS_EXPIRE',
    }).lean();
    const toldOf = new Set(earlierMessages.map(({ survey }) => String(survey)));
    const due = await couponsExpiringSoon(
      surveys.filter((one) => !toldOf.has(String(one))),
      context,
    );
    const languages = new Map(some.map(({ _id, language }) => [String(_id), language]));
    const messages = [...new Set(due.map(({ survey }) => String(survey)))].flatMap((id) => {
      const survey = surveys.find((one) => String(one) === id);
      if (!survey) return [];
      const today = randomTextingTime(isoDateAt(now, zone), around);
      const sendAt =
        today > now && !isInQuietHours(study.quietHours, now, zone)
          ? today
          : randomTimeAfterQuietHours(now, around);
      const queued = { survey, kind: 'COUPONS_EXPIRE', incentive: null, sendAt } as const;
      return [newMessage(queued, languages.get(id) ?? 'en', now)];
    });
    if (messages.length > 0) await inTransaction((session) => queueMessages(session, messages));
  }
}
