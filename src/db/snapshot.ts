/** Reads of one and the same instant, however long they take and whatever is written meanwhile. */
import mongoose, { type ClientSession } from 'mongoose';

const { MongoServerError } = mongoose.mongo;
const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;

/**
 * The first read with the session fixes the instant. It can't be one at which a collection is just being made; `work`
 * is then run again, with another session.
 */
export async function atOneInstant<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  for (let triesLeft = 10; ; triesLeft--) {
    const session = mongoose.connection.getClient().startSession({ snapshot: true });
    try {
      return await work(session);
    } catch (error) {
      const code = error instanceof MongoServerError ? error.code : null;
      if (code === SNAPSHOT_TOO_OLD) {
        throw new Error(
          'It took longer than the database keeps an instant of the past; raise its parameter minSnapshotHistoryWindowInSeconds (300 by default).',
        );
      }
      if (code !== SNAPSHOT_UNAVAILABLE || triesLeft === 0) throw error;
    } finally {
      await session.endSession();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
