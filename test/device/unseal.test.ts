/** An interview in progress whose person has forgotten the PIN: the service opens it, for the key that they have now. */
import { answerOf, network, waiting } from './browser.ts';

const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { destroyPersonKey: destroyKey } = await import('../../client/src/device/person-key.ts');
const {
  createSealOpener: createOpener,
  newAgeIdentity,
  ageRecipientOf,
} = await import('../../client/src/device/sealing.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const { claimDraft, draftWriter, startDraft } = await import('../../client/src/offline/drafts.ts');
const { unsealDraftByService } = await import('../../client/src/offline/seal-rows.ts');
await import('../../client/src/device/workspace.ts');
const { draftOf } = await import('./opened-rows.ts');

const VERA = 'a'.repeat(24);
const study = newAgeIdentity();

/** What the service does with it. */
function openAtService(body: string): Response {
  const { sealed } = JSON.parse(body) as { sealed: string };
  const { clientId: _, owner: _owner, ...fields } = createOpener(study)(sealed) ?? {};
  return answerOf(200, fields);
}

test('an interview that the service has opened continues on its page, in its language', async () => {
  session.set(waiting(VERA));
  await openStore();
  await db.kept.put({ key: 'study', value: { fieldKey: { id: 'k1', recipient: ageRecipientOf(study) } } });
  const start = { owner: VERA, questionnaire: 'q', location: 'l', referralCode: null, coordinates: null };
  const id = await startDraft({ ...start, language: 'es' });
  const writer = draftWriter((await claimDraft(VERA, id)) as never, () => undefined);
  writer.save({ responses: { age: 40 }, place: 'page-7' });
  await writer.settle();
  writer.close();
  const before = await draftOf(id);
  await destroyKey(VERA);
  session.set(null);
  session.set(waiting(VERA));
  expect(await draftOf(id)).toBeUndefined();
  network.answer = (_, body) => openAtService(body);
  await unsealDraftByService(VERA, id);
  expect(before).toMatchObject({ responses: { age: 40 }, place: 'page-7', language: 'es' });
  expect(await draftOf(id)).toEqual(before);
});
