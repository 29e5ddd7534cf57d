/** Accounts of an earlier version: which phones count as having returned a code. */
import mongoose from 'mongoose';
import { MIGRATIONS } from '../../src/platform/db/migrations/all.ts';
import { insertSurvey } from '../make.ts';
import { worldOfFile } from '../people.ts';

const world = worldOfFile();
const users = () => mongoose.connection.collection('users');
const oid = (hex: string) => new mongoose.Types.ObjectId(hex);
const isProved = async (id: string) => (await users().findOne({ _id: oid(id) }))?.phoneProvedAt !== undefined;

async function run(): Promise<void> {
  const migration = MIGRATIONS.find(({ name }) => name.endsWith('-proved-phones'));
  const { db } = mongoose.connection;
  if (!migration || !db) throw new Error('there is no such migration');
  await migration.run({ db, progress: () => {} });
}

test('accounts that signed up themselves or have a survey count as proved, others don’t', async () => {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  const site = await world.place();
  const phone = world.newPhone();
  await world.anonymous.post('/api/auth/send-otp-signup', { phone }).expect(200);
  const signUp = { phone, code: world.otps.get(phone), firstName: 'Ada', lastName: 'Field' };
  const self = (await world.anonymous.post('/api/auth/verify-otp-signup', signUp).expect(201)).body.user.id;
  const fields = { phone: world.newPhone(), firstName: 'Bo', lastName: 'Lind', role: 'VOLUNTEER' };
  const userId = (await root.post('/api/users', fields).expect(201)).body.id;
  const busy = await world.person();
  await insertSurvey(world, { createdBy: busy.id, location: site, questionnaire: site });
  const idle = await world.person();
  await users().updateMany({}, { $unset: { phoneProvedAt: '' } });
  for (let times = 0; times < 2; times++) {
    await run();
    expect(await Promise.all([self, busy.id, userId, idle.id].map(isProved))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  }
});
