import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { call, type Person, type World } from './world.ts';

/** Puts finished interviews directly into the device's store, in order; returns their clientIds. */
export async function fillOutbox(
  page: Page,
  world: World,
  person: Person,
  count: number,
  responses: (index: number) => object = () => ({ consent: 'no' }),
  change: object = {},
): Promise<string[]> {
  const { id: questionnaire } = await call<{ id: string }>(
    world,
    person.token,
    'GET',
    '/api/questionnaires/active',
  );
  const at = new Date().toISOString();
  const rows = Array.from({ length: count }, (_none, index) => {
    const clientId = randomUUID();
    const body = {
      clientId,
      location: world.sites.harbor,
      questionnaire,
      responses: responses(index),
      status: 'COMPLETED',
      startedAt: at,
      completedAt: at,
      onCodeProblem: 'FLAG',
    };
    return {
      clientId,
      owner: person.id,
      state: 'waiting',
      body,
      location: world.sites.harbor,
      referralCode: null,
      issuedCodes: [],
      coupons: 0,
      language: 'en',
      farewell: '',
      finishedAt: at,
      heldUntil: 0,
      attempts: 0,
      retryAt: 0,
      refused: null,
      sentAt: null,
      survey: null,
      flags: [],
      ...change,
    };
  });
  await page.evaluate(
    (all) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('field-survey');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('outbox', 'readwrite');
          for (const row of all) transaction.objectStore('outbox').add(row);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
          transaction.onerror = () => reject(transaction.error);
        };
      }),
    rows,
  );
  return rows.map((row) => row.clientId);
}
