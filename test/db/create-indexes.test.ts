import mongoose from 'mongoose';
import { AuditEventModel } from '../../src/platform/audit/model.ts';
import { connect, disconnect, ensureIndexes } from '../../src/platform/db/connect.ts';
import { MODELS } from '../../src/resources.ts';

test('index builds use a majority commit quorum, so that a member that is down does not block a start', async () => {
  await connect(process.env.TEST_MONGO_URI ?? '', 't_create_indexes');
  const { db } = mongoose.connection;
  try {
    await db?.command({ profile: 2 });
    await ensureIndexes([AuditEventModel]);
    const built = await db?.collection('system.profile').findOne({ 'command.createIndexes': 'auditevents' });
    expect(built?.command.commitQuorum).toBe('majority');
  } finally {
    await db?.command({ profile: 0 });
    await mongoose.connection.dropDatabase();
    await disconnect();
  }
});

test('all collections are created with few connections, so that none of them gives up waiting for one', async () => {
  await connect(process.env.TEST_MONGO_URI ?? '', 't_few_connections');
  let opened = 0;
  mongoose.connection.getClient().on('connectionCreated', () => {
    opened += 1;
  });
  try {
    await ensureIndexes(MODELS);
    expect(MODELS.length).toBeGreaterThan(20);
    expect(opened).toBeLessThan(10);
  } finally {
    await mongoose.connection.dropDatabase();
    await disconnect();
  }
});
