/** Which calculated values of an earlier version's database stay outcomes. */
import mongoose from 'mongoose';
import { approvedFormulasMigration } from '../../src/platform/db/migrations/2026-11-28-approve-formulas.ts';
import { loadStudy } from '../../src/study/settings/model.ts';
import { closeDatabase, openDatabase } from '../database.ts';

beforeAll(openDatabase);
afterAll(closeDatabase);

const { ObjectId } = mongoose.Types;
const db = () => mongoose.connection.db as mongoose.mongo.Db;
const calculatedValue = (name: string, expression: string) => ({ name, expression, includeIntoResult: true });
const run = () => approvedFormulasMigration.run({ db: db(), progress: () => {} });

test('values of versions by super-admins and commands stay outcomes; those by admins do not', async () => {
  const [root, admin] = [new ObjectId(), new ObjectId()];
  await db()
    .collection('users')
    .insertMany([
      { _id: root, role: 'SUPER_ADMIN', phone: '+12065550100' },
      { _id: admin, role: 'ADMIN', phone: '+12065550101' },
    ]);
  const version = (createdBy: unknown, ...calculatedValues: object[]) => ({
    ...{ _id: new ObjectId(), name: String(new ObjectId()), version: 1, createdBy },
    definition: { calculatedValues, elements: [] },
  });
  await db()
    .collection('questionnaires')
    .insertMany([
      version(root, calculatedValue('busy', "{work} = 'yes'"), { name: 'helper', expression: '1' }),
      version(null, calculatedValue('old', '{age} > 60'), calculatedValue('own', '1 = 1')),
      version(
        admin,
        calculatedValue('cross', "{a} = 'x' or {b} = 'y'"),
        calculatedValue('busy', "{a} = 'x'"),
      ),
    ]);
  const own = { name: 'own', title: { en: 'Own' }, kind: 'CATEGORY', expression: '{old} = true' };
  await db()
    .collection('studies')
    .updateOne(
      { _id: new ObjectId('000000000000000000000001') },
      { $set: { outcomes: [own] }, $unset: { approvedFormulas: '' } },
      { upsert: true },
    );
  await run();
  const { outcomes, approvedFormulas: approved } = await loadStudy();
  expect(outcomes).toEqual([
    own,
    { name: 'busy', fromQuestionnaire: true },
    { name: 'old', fromQuestionnaire: true },
  ]);
  // One way to calculate each: the admin's own `busy` is not counted.
  expect(approved.map(({ name }) => name)).toEqual(['busy', 'helper', 'old', 'own']);
  await run();
  expect((await loadStudy()).outcomes).toEqual(outcomes);
});

test('a new database has no formulas to approve', async () => {
  await db().collection('studies').deleteMany({});
  await run();
  expect(await db().collection('studies').countDocuments()).toBe(0);
});
