/** Challenges that were answered correctly, stored beyond their expiry so that each can be used only once. */
import mongoose, { type ClientSession, Schema } from 'mongoose';
import { problem } from '../../../platform/http/problems/problem.ts';

interface UsedChallenge {
  _id: string;
  expiresAt: Date;
}

const schema = new Schema<UsedChallenge>(
  { _id: { type: String, required: true }, expiresAt: { type: Date, required: true, expires: 0 } },
  { strictQuery: 'throw', versionKey: false, collection: 'usedchallenges' },
);
export const UsedChallengeModel = mongoose.model<UsedChallenge>('UsedChallenge', schema);

/** Longer than a challenge is valid, because the clocks of processes and database may differ. */
const STORED_MS = 3_600_000;
const DUPLICATE_KEY = 11_000;

/** Refuses a challenge that was used before. Call in the transaction that it authorizes. */
export async function spendChallenge(session: ClientSession, challenge: string, now: Date): Promise<void> {
  const usedChallenge = { _id: challenge, expiresAt: new Date(now.getTime() + STORED_MS) };
  try {
    await UsedChallengeModel.collection.insertOne(usedChallenge as never, { session });
  } catch (error) {
    if ((error as { code?: number }).code === DUPLICATE_KEY) throw problem('PASSKEY_INVALID');
    throw error;
  }
}
