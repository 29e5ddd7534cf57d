/** Contacts by language under their earlier name. */
import mongoose from 'mongoose';
import { contactTextsMigration } from '../../src/platform/db/migrations/2026-11-29-contact-texts.ts';
import { closeDatabase, openDatabase } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

test('contacts by language move to their new name, in the history too, and nobody is texted', async () => {
  const db = mongoose.connection.db as mongoose.mongo.Db;
  const [studies, events] = [db.collection('studies'), db.collection('auditevents')];
  const { insertedId } = await studies.insertOne({ contacts: { es: 'Llame' } });
  const event = (changes: object[]) => ({
    subject: 'Study',
    action: 'update',
    changes,
    createdAt: new Date(),
  });
  const former = { path: 'contacts', before: {}, after: { es: 'Llame' } };
  const later = { path: 'contacts', before: 'OFF', after: 'SMS' };
  const { insertedIds } = await events.insertMany([event([former]), event([later])]);
  await contactTextsMigration.run({ db, progress: () => {} });
  await contactTextsMigration.run({ db, progress: () => {} });
  expect(await studies.findOne({ _id: insertedId })).toMatchObject({
    contacts: 'OFF',
    contactTexts: { es: 'Llame' },
  });
  const changes = async (at: number) =>
    (await events.findOne({ _id: insertedIds[at] as mongoose.mongo.ObjectId }))?.changes;
  expect(await changes(0)).toEqual([{ ...former, path: 'contactTexts' }]);
  expect(await changes(1)).toEqual([later]);
});
