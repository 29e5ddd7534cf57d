/** Writes copies of the service's replies for offline work. */
import type { Questionnaire } from '../../wire.ts';
import { noStoreReason } from './open-store.ts';
import { deviceDb, isStorageFullError } from './store.ts';

/** If storage is full or unavailable (the screen says so), the page works with the service's reply alone. */
async function ignoreStorageErrors(write: PromiseLike<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isStorageFullError(error) && noStoreReason.get() === null) throw error;
  }
}

export const storeOfflineCopy = (key: string, value: unknown): Promise<void> =>
  ignoreStorageErrors(deviceDb.kept.put({ key, value }));

export const storeQuestionnaire = (questionnaire: Questionnaire): Promise<void> =>
  ignoreStorageErrors(deviceDb.questionnaires.put(questionnaire));

/** In one transaction: an active version without its questions would be useless offline. */
export const storeActiveQuestionnaire = (questionnaire: Questionnaire): Promise<void> =>
  ignoreStorageErrors(
    deviceDb.transaction('rw', deviceDb.questionnaires, deviceDb.kept, async () => {
      await deviceDb.questionnaires.put(questionnaire);
      await deviceDb.kept.put({ key: 'active', value: questionnaire.id });
    }),
  );
