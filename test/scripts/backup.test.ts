/** Backups: complete, of one point in time, and never restored partly. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import mongoose from 'mongoose';
import { ArchiveWriter, readArchive } from '../../scripts/backup/archive.ts';
import { ChecksumWriter } from '../../scripts/backup/checksum.ts';
import { makeBackup } from '../../scripts/backup/make.ts';
import { LEASES_COLLECTION } from '../../src/platform/db/lease.ts';
import { makeSeed, makeSurvey } from '../make.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { all, answerOf, command, databaseNamed, openFolder, SLOW, start, until, uriOf } from './kit.ts';

const { BSON } = mongoose.mongo;

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
let ana: Person;
let archive: string;
/** A backup of the same study with fewer events. */
let small: string;
const others: string[] = [];

beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
  archive = folder.path('study.archive');
  const location = await world.place();
  ana = await world.person({ role: 'ADMIN', location });
  const seed = await makeSeed(world, ana, { location });
  const first = await makeSurvey(world, ana, { location, referralCode: seed.referralCode });
  for (const referralCode of first.issuedCodes) await makeSurvey(world, ana, { location, referralCode });
  small = folder.path('small.archive');
  await makeBackup(small, new Date(), () => {});
  await insertEvents(1_500);
}, SLOW);
afterAll(async () => {
  for (const name of others) await databaseNamed(name).dropDatabase();
  await world.stop();
  await folder.remove();
});

async function insertEvents(count: number): Promise<void> {
  const padding = 'x'.repeat(500);
  const events = Array.from({ length: count }, () => ({ action: 'test', padding, createdAt: new Date() }));
  await mongoose.connection.collection('auditevents').insertMany(events, { bypassDocumentValidation: true });
}

function anotherDatabase(): { MONGO_URI: string; db: mongoose.mongo.Db } {
  const name = `t_${randomUUID().slice(0, 8)}`;
  others.push(name);
  return { MONGO_URI: uriOf(name), db: databaseNamed(name) };
}

const own = () => databaseNamed(mongoose.connection.name);

type Rows = Record<string, unknown[]>;
async function contents(db: mongoose.mongo.Db): Promise<Rows> {
  const rows: Rows = {};
  for (const name of [
    'users',
    'surveys',
    'seeds',
    'referralcodes',
    'locations',
    'questionnaires',
    'studies',
  ]) {
    rows[name] = await db.collection(name).find().sort({ _id: 1 }).toArray();
  }
  return rows;
}

async function validators(db: mongoose.mongo.Db): Promise<object> {
  const collections = (await db.listCollections().toArray()) as mongoose.mongo.CollectionInfo[];
  return Object.fromEntries(collections.map(({ name, options }) => [name, options?.validator]));
}

async function indexes(db: mongoose.mongo.Db): Promise<Rows> {
  const indexRows: Rows = {};
  for (const model of Object.values(mongoose.models)) {
    const name = model.collection.collectionName;
    indexRows[name] = (await db.collection(name).indexes()).sort((a, b) =>
      (a.name ?? '') < (b.name ?? '') ? -1 : 1,
    );
  }
  return indexRows;
}

test(
  'a backup restored in another database has the same records, checksums, tree, indexes and validators',
  async () => {
    const backup = await answerOf('backup', ['--out', archive]);
    const { MONGO_URI, db } = anotherDatabase();
    const restored = await answerOf('restore', ['--from', archive], { MONGO_URI });
    expect(restored.collections).toEqual(backup.collections);
    expect(backup.collections).toContainEqual(expect.objectContaining({ name: 'surveys', count: 4 }));
    expect(await contents(db)).toEqual(await contents(own()));
    expect(await indexes(db)).toEqual(await indexes(own()));
    expect(await validators(db)).toEqual(await validators(own()));
    expect(await validators(db)).toMatchObject({ surveys: { $jsonSchema: { title: 'surveys' } } });
    const again = await answerOf('backup', ['--out', folder.path('again.archive')], { MONGO_URI });
    expect(again.collections).toEqual(backup.collections);
  },
  SLOW,
);

/** The time of the last successful backup of this database, for the metrics. */
const lastBackup = async (db: mongoose.mongo.Db) =>
  (await db.collection<{ _id: string; at: Date }>('backups').findOne({ _id: 'last' }))?.at;

test(
  'an existing file is not overwritten without --force; a successful backup stores its time',
  async () => {
    const before = await lastBackup(own());
    expect(await command('backup', ['--out', archive])).toMatchObject({ code: 1 });
    expect(await lastBackup(own())).toEqual(before);
    const { madeAt } = await answerOf('backup', ['--out', archive, '--force']);
    expect(await lastBackup(own())).toEqual(new Date(madeAt as unknown as string));
    const { MONGO_URI, db } = anotherDatabase();
    await answerOf('restore', ['--from', archive], { MONGO_URI });
    expect(await lastBackup(db)).toBeUndefined();
  },
  SLOW,
);

test(
  'a database with data is not overwritten without --force',
  async () => {
    const refused = await command('restore', ['--from', archive]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The database is not empty \(.*users/),
    });
    const { MONGO_URI, db } = anotherDatabase();
    await command('users', ['create', '--phone', '+12065550111', '--first-name', 'A', '--last-name', 'B'], {
      MONGO_URI,
    });
    expect(await command('restore', ['--from', archive], { MONGO_URI })).toMatchObject({ code: 1 });
    expect(await command('restore', ['--from', archive, '--force'], { MONGO_URI })).toMatchObject({
      code: 0,
    });
    expect(await contents(db)).toEqual(await contents(own()));
  },
  SLOW,
);

test(
  'leases, one-time codes and rate limit counts in an old backup are not restored',
  async () => {
    const file = folder.path('passing.archive');
    const writer = new ArchiveWriter();
    const passing = [LEASES_COLLECTION, 'otps', 'ratelimits', 'signincodes'];
    const collections = passing.map((name) => ({ name, count: 1 }));
    const parts = [writer.header({ madeAt: new Date(), collections })];
    // An expired record, which MongoDB would delete during the restore.
    const record = { _id: 'restore', until: new Date('2100-01-01'), expiresAt: new Date(0) };
    for (const name of passing) {
      parts.push(writer.record(Buffer.from(BSON.serialize(record))));
      writer.endOf(name);
    }
    parts.push(writer.trailer());
    await pipeline(parts, createGzip(), new ChecksumWriter(), createWriteStream(file));
    const { MONGO_URI, db } = anotherDatabase();
    expect(await command('restore', ['--from', file], { MONGO_URI })).toMatchObject({ code: 0, err: '' });
    for (const name of passing) expect([name, await db.collection(name).countDocuments()]).toEqual([name, 0]);
  },
  SLOW,
);

test(
  'a backup of a newer version is rejected before anything is written',
  async () => {
    const newer = { _id: '2099-01-01-what-comes' as never, createdAt: new Date() };
    await mongoose.connection.collection('migrations').insertOne(newer);
    const file = folder.path('newer.archive');
    await makeBackup(file, new Date(), () => {});
    await mongoose.connection.collection('migrations').deleteOne({ _id: newer._id });
    const { MONGO_URI, db } = anotherDatabase();
    expect(await command('restore', ['--from', file], { MONGO_URI })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/newer version of the service \(2099-01-01-what-comes\)/),
    });
    expect(await db.listCollections().toArray()).toEqual([]);
  },
  SLOW,
);

test(
  'a dry run checks the file and writes nothing',
  async () => {
    const { MONGO_URI, db } = anotherDatabase();
    const { code, out } = await command('restore', ['--from', archive, '--dry-run'], { MONGO_URI });
    expect(code).toBe(0);
    expect(out).toMatch(/Not restored/);
    expect(await db.listCollections().toArray()).toEqual([]);
    const before = await all('users');
    const full = await command('restore', ['--from', archive, '--dry-run']);
    expect(full).toMatchObject({ code: 0, out: expect.stringMatching(/Not restored/) });
    expect(full.out).toMatch(/The database is not empty \(.*users.*\)\. To restore, .*--force/);
    expect(await all('users')).toEqual(before);
  },
  SLOW,
);

test(
  'a missing file is named in a plain message',
  async () => {
    const { code, err } = await command('restore', ['--from', folder.path('none.archive')]);
    expect({ code, err }).toEqual({ code: 1, err: `The file ${folder.path('none.archive')} doesn't exist.` });
    const out = folder.path('nowhere/study.archive');
    expect(await command('backup', ['--out', out])).toMatchObject({
      code: 1,
      err: `The folder ${folder.path('nowhere')} doesn't exist.`,
    });
  },
  SLOW,
);

test.each([
  ['cut off', async (file: string) => truncate(file, (await readFile(file)).length >> 1), /damaged/],
  [
    'cut off at its very end',
    async (file: string) => truncate(file, (await readFile(file)).length - 4),
    /damaged/,
  ],
  [
    'changed in one bit',
    async (file: string) => {
      const bytes = await readFile(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(file, bytes);
    },
    /damaged/,
  ],
  ['something else', async (file: string) => writeFile(file, 'once upon a time'), /not a backup/],
  [
    'something else that is packed',
    async (file: string) => writeFile(file, gzipSync('x'.repeat(99))),
    /not a backup/,
  ],
  ['empty', async (file: string) => writeFile(file, ''), /not a backup/],
])(
  'a file that is %s is rejected before anything is written',
  async (_how, spoil, words) => {
    const file = folder.path('spoilt.archive');
    await writeFile(file, await readFile(archive));
    await spoil(file);
    const { MONGO_URI, db } = anotherDatabase();
    const { code, err } = await command('restore', ['--from', file, '--force'], { MONGO_URI });
    expect(code).toBe(1);
    expect(err).toMatch(words);
    expect(err.split('\n')).toHaveLength(1);
    expect(await db.listCollections().toArray()).toEqual([]);
  },
  SLOW,
);

test(
  'a change of any single bit in the file is detected',
  async () => {
    const file = folder.path('spoilt.archive');
    const good = await readFile(small);
    const read = async () => {
      const kinds = new Set<string>();
      for await (const part of readArchive(file)) kinds.add(part.kind);
      return [...kinds];
    };
    await writeFile(file, good);
    expect(await read()).toEqual(['header', 'records', 'trailer']);
    // The head of the packing, places all over, the end; of the records most are alike, and packing tells them in many
    // ways.
    const places = [
      ...Array.from({ length: 10 }, (_, at) => at),
      ...Array.from({ length: 60 }, (_, at) => Math.floor(((at + 1) * good.length) / 61)),
      ...Array.from({ length: 80 }, (_, at) => good.length - 80 + at),
    ];
    for (const place of places) {
      const bytes = Buffer.from(good);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
      await writeFile(file, bytes);
      const error = await read().then(() => 'nothing', String);
      expect([place, error]).toEqual([place, expect.stringMatching(/damaged|not a backup/)]);
    }
  },
  SLOW,
);

test(
  'an interrupted backup leaves no file, an interrupted restore leaves the database as it was',
  async () => {
    // Enough that writing them takes a while.
    await insertEvents(30_000);
    const out = folder.path('interrupted.archive');
    const backup = start('backup', ['--out', out]);
    await until(() => folder.names('interrupted.archive.').length > 0, 'it writes');
    backup.child.kill('SIGINT');
    expect(await backup.ended).toMatchObject({ code: 130 });
    expect(folder.names('interrupted.archive')).toEqual([]);

    const { MONGO_URI, db } = anotherDatabase();
    const names = async () =>
      (await db.listCollections().toArray())
        .map((one) => one.name)
        .filter((name) => name !== LEASES_COLLECTION);
    const restore = start('restore', ['--from', archive], { MONGO_URI });
    await until(async () => (await names()).some((name) => name.startsWith('restoring.')), 'it writes');
    restore.child.kill('SIGINT');
    expect(await restore.ended).toMatchObject({ code: 130, err: 'Interrupted.' });
    // On a busy machine, temporary collections may remain after its second; the next start removes them.
    expect((await names()).filter((name) => !name.startsWith('restoring.'))).toEqual([]);
  },
  SLOW,
);

test(
  'two backups to the same file at once are both complete',
  async () => {
    const out = folder.path('twice.archive');
    await Promise.all([1, 2].map(() => makeBackup(out, new Date(), () => {})));
    for await (const _part of readArchive(out));
    expect(folder.names('twice.archive')).toEqual(['twice.archive']);
  },
  SLOW,
);

test(
  'the next backup to the same file removes what a killed one left a day ago',
  async () => {
    const [old, recent] = [randomUUID(), randomUUID()].map((id) => `killed.archive.${id}.part`) as [
      string,
      string,
    ];
    for (const name of [old, recent, 'killed.archive.mine.part']) await writeFile(folder.path(name), '');
    await utimes(folder.path(old), 0, 0);
    await utimes(folder.path('killed.archive.mine.part'), 0, 0);
    await makeBackup(folder.path('killed.archive'), new Date(), () => {});
    expect(folder.names('killed').sort()).toEqual(
      ['killed.archive', recent, 'killed.archive.mine.part'].sort(),
    );
  },
  SLOW,
);

test(
  'leftovers of a killed restore are removed by the next command',
  async () => {
    const { MONGO_URI, db } = anotherDatabase();
    await db.createCollection('restoring.surveys');
    await answerOf('users', ['list'], { MONGO_URI });
    const names = (await db.listCollections().toArray()).map((one) => one.name);
    expect(names.filter((name) => name.startsWith('restoring.'))).toEqual([]);
  },
  SLOW,
);

test(
  'a transaction during a backup is completely in it or not at all',
  async () => {
    let writing = true;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const pairs = (async () => {
      const [some, more] = ['pairs', 'twins'].map((name) => mongoose.connection.collection(name));
      await Promise.all([some?.insertOne({}), more?.insertOne({})]);
      for (let number = 0; writing; number++) {
        await mongoose.connection.transaction(async (session) => {
          await some?.insertOne({ number }, { session });
          await more?.insertOne({ number }, { session });
        });
        if (number === 1) begin();
      }
    })();
    await begun;
    const { collections } = await answerOf('backup', ['--out', folder.path('busy.archive')]);
    writing = false;
    await pairs;
    const count = (name: string) => collections.find((one: { name: string }) => one.name === name)?.count;
    expect(count('pairs')).toBeGreaterThan(1);
    expect(count('pairs')).toBe(count('twins'));
  },
  SLOW,
);

test(
  'a backup in the old format with a checksum record is restored; a changed one is rejected',
  async () => {
    const bytes = gunzipSync((await readFile(archive)).subarray(0, -72));
    const records: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
      records.push(bytes.subarray(at, at + bytes.readInt32LE(at)));
    const { collections } = BSON.deserialize(records.pop() as Buffer);
    const ending = (all: Buffer[]) => {
      const sha256 = createHash('sha256').update(Buffer.concat(all)).digest('hex');
      return Buffer.from(BSON.serialize({ end: true, collections, sha256 }));
    };
    const older = folder.path('older.archive');
    await writeFile(older, gzipSync(Buffer.concat([...records, ending(records)])));
    const { MONGO_URI, db } = anotherDatabase();
    await answerOf('restore', ['--from', older], { MONGO_URI });
    expect(await contents(db)).toEqual(await contents(own()));

    const wrong = folder.path('older-wrong.archive');
    await writeFile(wrong, gzipSync(Buffer.concat([...records, ending(records.slice(1))])));
    const refused = await command('restore', ['--from', wrong, '--force'], { MONGO_URI });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("checksums don't match") });
  },
  SLOW,
);
