/** Contacts with an id of their own. */
import mongoose from 'mongoose';
import { contactsBySurveyMigration } from '../../src/platform/db/migrations/2026-11-29-contacts-by-survey.ts';
import { closeDatabase, openDatabase } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

test('contacts get the ids of their surveys, and their previous indexes are dropped', async () => {
  const contacts = (mongoose.connection.db as mongoose.mongo.Db).collection('contacts');
  await contacts.createIndex({ survey: 1 }, { name: 'contact_once', unique: true });
  const survey = new mongoose.Types.ObjectId();
  const another = new mongoose.Types.ObjectId();
  const later = new mongoose.Types.ObjectId();
  await contacts.insertMany([
    { survey, phone: 'sealed', language: 'es' },
    { survey: another, phone: 'sealed', language: 'vi' },
  ]);
  await contactsBySurveyMigration.run({
    db: mongoose.connection.db as mongoose.mongo.Db,
    progress: () => {},
  });
  await contacts.insertOne({ _id: later, phone: 'sealed', language: 'en' });
  await contactsBySurveyMigration.run({
    db: mongoose.connection.db as mongoose.mongo.Db,
    progress: () => {},
  });
  expect(await contacts.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: survey, phone: 'sealed', language: 'es' },
    { _id: another, phone: 'sealed', language: 'vi' },
    { _id: later, phone: 'sealed', language: 'en' },
  ]);
  expect((await contacts.indexes()).map(({ name }) => name)).not.toContain('contact_once');
});
