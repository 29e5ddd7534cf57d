/** Reads that all see the database at the same moment, even if it changes in between. */
import mongoose, { type ClientSession } from 'mongoose';

const { MongoServerError } = mongoose.mongo;
const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;

/**
 * The first read in the session fixes the moment. If a collection is being created at that moment, `work` runs again
 * with another session.
 */
export async function inSnapshot<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
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
