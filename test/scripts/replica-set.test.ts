/** The command that sets up a replica set, on separate mongods. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import { SLOW, start, until } from './kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'replica-set-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const one of started) one.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function startMember(port: number): void {
  const dbPath = mkdtempSync(join(folder, 'member-'));
  const options = ['--replSet', 'rs0', '--port', String(port), '--dbpath', dbPath, '--bind_ip', '127.0.0.1'];
  started.push(spawn(process.env.TEST_MONGOD_BINARY ?? '', options, { stdio: 'ignore' }));
}

test(
  'waits for members that start later, then reports the members and the user’s rights',
  async () => {
    const [first, second] = [await findFreePort(), await findFreePort()];
    const file = join(folder, 'admin-password');
    writeFileSync(file, 'a password for tests\n');
    startMember(first);
    const MONGO_URI = `mongodb://app:secret@127.0.0.1:${first},127.0.0.1:${second}/study?replicaSet=rs0`;
    const running = start('replica-set', ['--admin-password-file', file], { MONGO_URI });
    const waits = 'Waiting until all members have started.';
    await until(() => (running.said() + running.complained()).includes(waits), 'it waits');
    startMember(second);
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    expect(out).toContain(`127.0.0.1:${first}  PRIMARY`);
    expect(out).toContain(`127.0.0.1:${second}  SECONDARY`);
    expect(out).toContain('The user app can read and write the database study, and nothing else.');
  },
  SLOW,
);
