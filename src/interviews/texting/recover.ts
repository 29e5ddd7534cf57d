/**
 * Finds out what happened to texts whose sender was killed or got no response, by asking the provider. None is sent
 * again automatically.
 */
import { openSealedText } from '../../platform/lib/sealed-text.ts';
import { ContactModel } from '../contacts/model.ts';
import { MessageModel, type MessageRecord } from '../messages/model.ts';
import type { SentTextState } from './provider.ts';
import { hashMessageText, type SendContext } from './send.ts';

/** Longer than any request may take. */
const RECOVER_AFTER_MS = 90_000;
/** Until then, the provider is asked again if it can't be reached. */
const GIVE_UP_AFTER_MS = 3_600_000;
/** Allowed difference between the provider's clock and ours. */
const CLOCK_ERROR_MS = 120_000;
const BATCH_SIZE = 50;

export async function recoverStuckTexts(sending: SendContext): Promise<void> {
  const { now } = sending;
  const stuck = await MessageModel.find({
    state: 'SENDING',
    claimedAt: { $lt: new Date(now.getTime() - RECOVER_AFTER_MS) },
  })
    .limit(BATCH_SIZE)
    .lean<MessageRecord[]>();
  for (const message of stuck) await recoverOne(message, sending);
}

async function recoverOne(
  message: MessageRecord,
  { provider, contactKey, now, log }: SendContext,
): Promise<void> {
  const { _id, survey, tries, claimedAt, wordsHash } = message;
  const contact = survey && (await ContactModel.findById(survey).lean());
  const to = contact && openSealedText(contactKey, contact._id.toHexString(), contact.phone);
  const since = new Date((claimedAt?.getTime() ?? 0) - CLOCK_ERROR_MS);
  const texts = to ? await provider.find(to, since) : null;
  const isOld = now.getTime() - (claimedAt?.getTime() ?? 0) > GIVE_UP_AFTER_MS;
  if (texts === null && to && provider.name !== 'console' && !isOld) return;
  const match = await unclaimed(
    (texts ?? []).filter(({ words }) => hashMessageText(contactKey, words) === wordsHash),
  );
  const became = match
    ? {
        state: match.state ?? 'SENT',
        sid: match.sid,
        sentAt: claimedAt,
        ...(match.state === 'DELIVERED' && { deliveredAt: now }),
      }
    : { state: 'UNKNOWN' as const };
  await MessageModel.updateOne({ _id, tries, state: 'SENDING' }, { $set: became });
  if (!match) log.warn('nobody can tell what became of a text');
}

/** If two texts have the same wording, each must match a different one of the provider's. */
async function unclaimed(texts: SentTextState[]): Promise<SentTextState | undefined> {
  const knownSids = new Set(
    await MessageModel.distinct('sid', { sid: { $in: texts.map(({ sid }) => sid) } }),
  );
  return texts.find(({ sid }) => !knownSids.has(sid));
}
