/**
 * Handles Twilio's reports: delivery states, and replies such as STOP. They are signed, may come in any order, and
 * count once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import mongoose, { Schema } from 'mongoose';
import type { Config } from '../../platform/config.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { DAY_MS } from '../../platform/lib/day.ts';
import { isRecordId } from '../../platform/lib/record-id.ts';
import { parsePhone } from '../../platform/lib/text/phone.ts';
import { hashOfPhoneNumber } from '../contacts/store.ts';
import { MessageModel } from '../messages/model.ts';
import type { ReportedMessageState } from './provider.ts';
import { recordOptOut, recordSmsStartReply } from './send.ts';
import { messageStateOfTwilio } from './twilio.ts';

interface InboundText {
  /** The provider's id. */
  _id: string;
  expiresAt: Date;
}

const schema = new Schema<InboundText>(
  { _id: { type: String, required: true }, expiresAt: { type: Date, required: true, expires: 0 } },
  { strictQuery: 'throw', versionKey: false, collection: 'inboundtexts' },
);
/** Replies that were processed, so that duplicates change nothing. */
export const ProcessedInboundTextModel = mongoose.model<InboundText>('InboundText', schema);

const REMEMBER_MS = 30 * DAY_MS;
const DUPLICATE_KEY = 11_000;

export type DeliveryReportFields = Record<string, string>;

/** The first value of each name; reports never repeat one. */
export function parseWebhookForm(bytes: Buffer): DeliveryReportFields {
  const form: DeliveryReportFields = Object.create(null) as DeliveryReportFields;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) form[name] ??= value;
  return form;
}

/** HMAC-SHA-1 of the address and all fields sorted by name, as in Twilio's documentation. */
export function webhookSignatureOf(authToken: string, url: string, form: DeliveryReportFields): string {
  const text = Object.keys(form)
    .sort()
    .reduce((whole, name) => whole + name + form[name], url);
  return createHmac('sha1', authToken).update(Buffer.from(text, 'utf8')).digest('base64');
}

export function isSignedByTwilio(
  authToken: string,
  url: string,
  form: DeliveryReportFields,
  signature: string | undefined,
): boolean {
  const expected = Buffer.from(webhookSignatureOf(authToken, url, form));
  const actual = Buffer.from(signature ?? '');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

interface Report {
  form: DeliveryReportFields;
  /** From the address: the text and the number of the try. */
  message: string | undefined;
  now: Date;
  config: Pick<Config, 'contactKey'>;
}

export async function applyMessageReport({ form, message, now, config }: Report): Promise<void> {
  if (form.MessageStatus !== undefined) await applyState(form, message, now);
  else if (form.From !== undefined && form.MessageSid) await applyReply(form, now, config);
}

/** Later states win, whatever order they arrive in; final states stay. */
const PREVIOUS_STATES: Record<ReportedMessageState, string[]> = {
  SENT: ['SENDING', 'UNKNOWN'],
  DELIVERED: ['SENDING', 'UNKNOWN', 'SENT'],
  FAILED: ['SENDING', 'UNKNOWN', 'SENT'],
};

async function applyState(form: DeliveryReportFields, message: string | undefined, now: Date): Promise<void> {
  const state = messageStateOfTwilio(String(form.MessageStatus));
  const sid = form.MessageSid ?? null;
  const [id = '', tries = ''] = (message ?? '').split('.');
  if (!state || !isRecordId(id) || !/^\d{1,4}$/.test(tries)) return;
  const _id = new mongoose.Types.ObjectId(id);
  const error = state === 'FAILED' ? (/^\d{1,6}$/.exec(form.ErrorCode ?? '')?.[0] ?? 'PROVIDER') : null;
  await MessageModel.collection.updateOne(
    {
      _id,
      tries: Number(tries),
      state: { $in: PREVIOUS_STATES[state] as never },
      $or: [{ sid: null }, { sid }],
    },
    [
      {
        $set: {
          state,
          error,
          sid,
          sentAt: { $ifNull: ['$sentAt', now] },
          ...(state === 'DELIVERED' && { deliveredAt: now }),
        },
      },
    ],
  );
}

const STOP_WORDS = /^(stop|stopall|unsubscribe|cancel|end|quit|revoke|optout)$/;
const START_WORDS = /^(start|yes|unstop)$/;

/** Twilio itself sends the answers, also to HELP. */
async function applyReply(
  form: DeliveryReportFields,
  now: Date,
  { contactKey }: Pick<Config, 'contactKey'>,
): Promise<void> {
  const phone = parsePhone(form.From ?? '', 'US');
  const word = (form.OptOutType ?? form.Body ?? '').trim().toLowerCase();
  const isStop = STOP_WORDS.test(word);
  if (!phone || !(isStop || START_WORDS.test(word))) return;
  const number = hashOfPhoneNumber(contactKey, phone);
  const inboundText = { _id: form.MessageSid ?? '', expiresAt: new Date(now.getTime() + REMEMBER_MS) };
  try {
    await inTransaction(async (session) => {
      await ProcessedInboundTextModel.collection.insertOne(inboundText as never, { session });
      if (isStop) await recordOptOut(session, number, now);
      else await recordSmsStartReply(session, number);
    });
  } catch (error) {
    if ((error as { code?: number }).code !== DUPLICATE_KEY) throw error;
  }
}
