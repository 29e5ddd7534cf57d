/** Encrypted backups: readable only with the secret key, and either whole or rejected. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type Cast, draft, startCast } from '../api/kit.ts';
import { all, answerOf, command, databaseNamed, openFolder, SLOW, uriOf } from './kit.ts';

let cast: Cast;
const SECRET = 'Zebulon Quagmire';
let folder: Awaited<ReturnType<typeof openFolder>>;
let recipient: string;
let archive: string;
let key: string;
const others: string[] = [];

async function keyFile(name: string) {
  const identity = await generateX25519Identity();
  await writeFile(folder.path(name), `# created: today\n# public key: …\n\n${identity}\n`);
  return { identity, path: folder.path(name), recipient: await identityToRecipient(identity) };
}

beforeAll(async () => {
  [cast, folder] = [await startCast(), await openFolder()];
  ({ recipient, path: key } = await keyFile('backup.key'));
  archive = folder.path('study.archive.age');
  const responses = { networkSize: 3, comment: SECRET };
  await cast.volunteer.post('/api/surveys', draft(cast, { responses })).expect(201);
}, SLOW);
afterAll(async () => {
  for (const name of others) await databaseNamed(name).dropDatabase();
  await cast.world.stop();
  await folder.remove();
});

function emptyDatabase() {
  const name = `t_${randomUUID().slice(0, 8)}`;
  others.push(name);
  return { uri: { MONGO_URI: uriOf(name) }, db: databaseNamed(name) };
}

test(
  'a backup encrypted for a public key is restored with the secret key, also with BACKUP_RECIPIENT',
  async () => {
    const backup = await answerOf('backup', ['--out', archive, '--recipient', recipient]);
    expect(backup).toMatchObject({ encrypted: true });
    const { uri, db } = emptyDatabase();
    await answerOf('restore', ['--from', archive, '--identity', key], uri);
    expect(await db.collection('surveys').find().toArray()).toEqual(await all('surveys'));
    const other = folder.path('other.age');
    await answerOf('backup', ['--out', other], { BACKUP_RECIPIENT: recipient });
    expect(await command('restore', ['--from', other, '--identity', key, '--dry-run'])).toMatchObject({
      code: 0,
    });
  },
  SLOW,
);

test(
  'deploy/backup.sh names backups by time and encryption, and deletes those older than 30 days',
  async () => {
    const nightly = folder.path('nightly');
    await mkdir(nightly);
    const old = new Date(Date.now() - 30.1 * 86_400_000);
    for (const name of ['study-2026-01-01T021500Z.archive.age', 'notes.txt']) {
      await writeFile(join(nightly, name), '');
      await utimes(join(nightly, name), old, old);
    }
    const env = { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '', MONGO_URI: uriOf() };
    const script = resolve('deploy', 'backup.sh');
    const run = (more: NodeJS.ProcessEnv) =>
      promisify(execFile)(script, [nightly], { env: { ...env, DATA_DIR: folder.path('data'), ...more } });
    await run({ BACKUP_RECIPIENT: recipient });
    const [archiveName = '', notes] = (await readdir(nightly)).sort().reverse();
    expect([archiveName, notes]).toEqual([
      expect.stringMatching(/^study-\d{4}-\d\d-\d\dT\d{6}Z\.archive\.age$/),
      'notes.txt',
    ]);
    const dry = ['--from', join(nightly, archiveName), '--identity', key, '--dry-run'];
    expect(await command('restore', dry)).toMatchObject({ code: 0 });
    await expect(run({ BACKUP_RECIPIENT: 'age1nobody' })).rejects.toThrow();
    expect(await readdir(nightly)).toHaveLength(2);
  },
  SLOW,
);

test(
  'an encrypted backup is an age file, which decrypts to a plain backup',
  async () => {
    const decrypter = new Decrypter();
    decrypter.addIdentity((await readFile(key, 'utf8')).trim().split('\n').at(-1) ?? '');
    const plain = folder.path('plain.archive');
    await writeFile(plain, await decrypter.decrypt(await readFile(archive)));
    const { uri, db } = emptyDatabase();
    await answerOf('restore', ['--from', plain], uri);
    expect(await db.collection('surveys').countDocuments()).toBe(1);
  },
  SLOW,
);

test(
  'without the key, with another key or an invalid key file, restore fails with one sentence',
  async () => {
    const { path: wrong } = await keyFile('wrong.key');
    const none = folder.path('none.key');
    await writeFile(none, 'secret');
    const { uri, db } = emptyDatabase();
    for (const [more, message] of [
      [[], /^This backup is encrypted: name the file of its secret key with --identity\.$/],
      [['--identity', wrong], /^The backup was encrypted for another key than that of --identity\.$/],
      [['--identity', none], /none\.key is not an age identity file \(AGE-SECRET-KEY-…\)\.$/],
      [['--identity', folder.path('gone.key')], /gone\.key doesn't exist\.$/],
    ] as const) {
      const refused = await command('restore', ['--from', archive, ...more], uri);
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(message) });
      expect(refused.err.split('\n')).toHaveLength(1);
    }
    expect(await db.collection('surveys').countDocuments()).toBe(0);
    const bad = await command('backup', ['--out', folder.path('x'), '--recipient', 'age1nobody']);
    expect(bad).toMatchObject({ code: 1, err: 'This is not an age public key (age1…).' });
  },
  SLOW,
);

test(
  'a truncated or changed file is rejected',
  async () => {
    const whole = await readFile(archive);
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(changed.length - 100) ^ 1, changed.length - 100);
    const path = folder.path('bad.age');
    for (const bytes of [whole.subarray(0, -40), changed, whole.subarray(0, 150)]) {
      await writeFile(path, bytes);
      const refused = await command('restore', ['--from', path, '--identity', key, '--dry-run']);
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The backup is damaged: .*\.$/),
      });
    }
  },
  SLOW,
);
