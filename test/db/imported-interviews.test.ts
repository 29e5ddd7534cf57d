/** Interviews that an earlier version imported say who entered them. */
import mongoose from 'mongoose';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { insertSurvey } from '../make.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();
const collection = (name: string) => mongoose.connection.collection(name);
const { ObjectId } = mongoose.Types;

test('the migration marks interviews that someone else stored, and flags those that no third person has reviewed', async () => {
  const [owner, importer, third] = [await world.person(), await world.person(), await world.person()];
  const [site, at] = [await world.place(), new Date('2026-11-20T10:00:00Z')];
  const stored = async (by: string | null, reviewer?: string) => {
    const id = await insertSurvey(world, { createdBy: owner.id, location: site, createdAt: at });
    const record = new ObjectId(id);
    const review = { state: 'APPROVED', by: reviewer && new ObjectId(reviewer), at };
    if (reviewer) await collection('surveys').updateOne({ _id: record }, { $set: { review } });
    const event = { subject: 'Survey', action: 'create', record, by: by && new ObjectId(by), changes: [] };
    await collection('auditevents').insertOne({ ...event, createdAt: at });
    return async () => await collection('surveys').findOne({ _id: record });
  };
  const own = await stored(owner.id);
  const open = await stored(importer.id);
  const approvedBySelf = await stored(importer.id, importer.id);
  const approved = await stored(importer.id, third.id);
  const byCommand = await stored(null);
  const migration = MIGRATIONS.find(({ name }) => name.endsWith('-imported-interviews'));
  const { db } = mongoose.connection;
  if (!migration || !db) throw new Error('there is no such migration');
  for (let times = 0; times < 2; times++) {
    await migration.run({ db, progress: () => {} });
    expect(await own()).not.toHaveProperty('importedAt');
    const by = new ObjectId(importer.id);
    const marked = { importedAt: at, importedBy: by };
    const flags = [{ code: 'IMPORTED', referralCode: null, at, by }];
    for (const one of [open, approvedBySelf]) expect(await one()).toMatchObject({ ...marked, flags });
    expect(await approved()).toMatchObject({ ...marked, flags: [] });
    const flag = { code: 'IMPORTED', by: null };
    expect(await byCommand()).toMatchObject({ importedBy: null, importedAt: at, flags: [flag] });
  }
});
