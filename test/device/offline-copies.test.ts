/** Offline copies of responses, and failures while they are written. */
import './browser.ts';

const { storeActiveQuestionnaire: keepActive, storeOfflineCopy: keepCopy } = await import(
  '../../client/src/device/store/offline-copies.ts'
);
const { noStoreReason: noStore, openStore } = await import('../../client/src/device/store/open-store.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');

const questionnaire = (id: string) => ({ id, definition: {} }) as never;
const failing = (name: string) => {
  const fail = () => {
    throw Object.assign(new Error('the write failed'), { name });
  };
  db.kept.hook('creating', fail);
  db.kept.hook('updating', fail);
  return () => {
    db.kept.hook('creating').unsubscribe(fail);
    db.kept.hook('updating').unsubscribe(fail);
  };
};

beforeAll(openStore);

test('the questionnaire and the active version are stored together or not at all', async () => {
  await keepActive(questionnaire('v1'));
  const heal = failing('QuotaExceededError');
  await keepActive(questionnaire('v2'));
  heal();
  expect((await db.kept.get('active'))?.value).toBe('v1');
  expect(await db.questionnaires.toCollection().primaryKeys()).toEqual(['v1']);
});

test('a full device does not stop the page; any other error is thrown', async () => {
  let heal = failing('QuotaExceededError');
  await keepCopy('study', {});
  heal();
  heal = failing('DataError');
  await expect(keepCopy('study', {})).rejects.toThrow('the write failed');
  heal();
});

test('a missing store is no error', async () => {
  noStore.set('absent');
  const heal = failing('MissingAPIError');
  await keepCopy('study', {});
  heal();
});
