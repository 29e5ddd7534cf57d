/** The setup link for the first super-admin: who can read it. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setupNotice } from '../../src/access/auth/setup-link.ts';
import { startWorld, type World } from '../people.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'setup-'));
const file = join(dataDir, 'setup-link');
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await world.stop();
});

test('the folder of the set-up link is created, accessible only to this account', async () => {
  const config = { ...world.deps.config, production: true, dataDir: join(dataDir, 'new', 'folder') };
  await setupNotice(config, false);
  expect(readFileSync(join(config.dataDir, 'setup-link'), 'utf8')).toContain('/setup#token=');
  expect(statSync(config.dataDir).mode & 0o077).toBe(0);
});

test('in production the set-up link is shown only in a terminal, else written to a private file', async () => {
  const config = { ...world.deps.config, production: true, dataDir };
  expect(await setupNotice(config, true)).toContain('/setup#token=');
  const notice = await setupNotice(config, false);
  expect(notice).toContain(file);
  expect(notice).toContain('npm run users -- create --role SUPER_ADMIN');
  expect(notice).not.toContain('token');
  expect(readFileSync(file, 'utf8')).toContain('/setup#token=');
  expect(statSync(file).mode & 0o077).toBe(0);
  const nowhere = await setupNotice({ ...config, dataDir: join(file, 'none') }, false);
  expect(nowhere).not.toContain('token');
  await world.person({ role: 'SUPER_ADMIN' });
  expect(await setupNotice(config, false)).toBeNull();
  expect(() => statSync(file)).toThrow();
});
