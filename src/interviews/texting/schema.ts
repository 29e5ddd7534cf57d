/** Texts to respondents in requests and replies, without wording and number. Browser-safe. */
import { z } from 'zod';
import { DayOrInstant, Id, Instant, NonNegativeInteger } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { MESSAGE_NOT_SENT_REASONS, MessageKind, MessageState } from '../messages/schema.ts';

export const Message = z
  .object({
    id: Id,
    survey: Id.nullable(),
    kind: MessageKind,
    incentive: Id.nullable(),
    language: z.string().meta({ example: 'en' }),
    state: MessageState,
    error: z
      .string()
      .nullable()
      .meta({
        description: `Why it was not sent: ${MESSAGE_NOT_SENT_REASONS.join(', ')}, or the provider’s error code.`,
        example: null,
      }),
    createdAt: Instant,
    sentAt: Instant.nullable(),
    deliveredAt: Instant.nullable(),
  })
  .meta({ id: 'Message' });

export const MessageList = listSchema(Message).meta({ id: 'MessageList' });

export const MessageQuery = z.strictObject({
  ...creationSortedQuery,
  state: MessageState.optional(),
  kind: MessageKind.optional(),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type MessageQuery = z.infer<typeof MessageQuery>;

const counts = Object.fromEntries(MessageState.options.map((state) => [state, NonNegativeInteger])) as Record<
  MessageState,
  typeof NonNegativeInteger
>;

export const MessageSummary = z
  .object({
    byKind: z.array(z.object({ kind: MessageKind, ...counts })),
    today: NonNegativeInteger.meta({ description: 'Sent today, of `messagesPerDay`.' }),
    contacts: z
      .object({ active: NonNegativeInteger, stopped: NonNegativeInteger, invalid: NonNegativeInteger })
      .meta({ description: 'How many people can be texted.' }),
  })
  .meta({ id: 'MessageSummary' });

export const MessageWebhookQuery = z.strictObject({
  message: z
    .string()
    .max(40)
    .optional()
    .meta({ description: 'Which text it is about, as in the address that the provider was given.' }),
});
