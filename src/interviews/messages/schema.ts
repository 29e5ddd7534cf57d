/** Texts to respondents in requests and replies, without wording and number. Browser-safe. */
import { z } from 'zod';

export const MessageKind = z.enum(['MONEY_DUE', 'CARD', 'COUPONS_EXPIRE']).meta({
  description:
    'MONEY_DUE: a recruit took part, and something is due. CARD: a gift card. COUPONS_EXPIRE: coupons that are not back expire soon.',
});
export type MessageKind = z.infer<typeof MessageKind>;

export const MessageState = z
  .enum(['QUEUED', 'SENDING', 'SENT', 'DELIVERED', 'FAILED', 'STOPPED', 'UNKNOWN'])
  .meta({
    description:
      'STOPPED: it is not sent, since the person replied STOP or there is nothing to say any more. UNKNOWN: the service was cut off while sending, and the provider can’t tell what became of it.',
  });
export type MessageState = z.infer<typeof MessageState>;

/** Why a text wasn't sent, apart from the provider's error codes. */
export const MESSAGE_NOT_SENT_REASONS = [
  'STOP',
  'NOT_DUE',
  'TOLD_TOGETHER',
  'TURNED_OFF',
  'NO_CONTACT',
  'CARD_VOID',
  'TOO_LATE',
  'NO_TEXT',
  'NUMBER_INVALID',
  'PROVIDER',
] as const;
export type MessageErrorCode = (typeof MESSAGE_NOT_SENT_REASONS)[number];
