/** The secret that signs tokens, where the service made it itself. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'kept-secret-'));

test.each(['', 'cut off'])('a kept secret that is too short to be one (%j) is not signed with', (text) => {
  const DATA_DIR = folder();
  writeFileSync(join(DATA_DIR, 'jwt-secret'), text);
  expect(() => readConfig({ DATA_DIR })).toThrow(/jwt-secret/);
});

test('a kept secret is made once, whole and for this account alone', () => {
  const DATA_DIR = folder();
  const { jwtSecret } = readConfig({ DATA_DIR });
  expect(jwtSecret.length).toBeGreaterThanOrEqual(32);
  expect(readFileSync(join(DATA_DIR, 'jwt-secret'), 'utf8').trim()).toBe(jwtSecret);
  expect(readConfig({ DATA_DIR }).jwtSecret).toBe(jwtSecret);
});
