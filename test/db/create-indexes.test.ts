import mongoose from 'mongoose';
import { AuditEvents } from '../../src/platform/audit/model.ts';
import { connect, disconnect, ensureIndexes } from '../../src/platform/db/connect.ts';

test('index builds use a majority commit quorum, so that a member that is down does not block a start', async () => {
  await connect(process.env.TEST_MONGO_URI ?? '', 't_create_indexes');
  const { db } = mongoose.connection;
  try {
    await db?.command({ profile: 2 });
    await ensureIndexes([AuditEvents]);
    const built = await db?.collection('system.profile').findOne({ 'command.createIndexes': 'auditevents' });
    expect(built?.command.commitQuorum).toBe('majority');
  } finally {
    await db?.command({ profile: 0 });
    await mongoose.connection.dropDatabase();
    await disconnect();
  }
});
