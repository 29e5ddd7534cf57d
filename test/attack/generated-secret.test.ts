/** The secret that signs tokens, and the key of identity clues, where the service made them itself. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'kept-secret-'));

test.each([
  ['jwt-secret', ''],
  ['jwt-secret', 'cut off'],
  ['identity-key', 'cut off'],
])('a kept secret that is too short to be one (%s, %j) is not used', (name, text) => {
  const DATA_DIR = folder();
  writeFileSync(join(DATA_DIR, name), text);
  expect(() => readConfig({ DATA_DIR })).toThrow(name);
});

test('a kept secret is made once, whole and for this account alone', () => {
  const DATA_DIR = folder();
  const { jwtSecret, identityKey } = readConfig({ DATA_DIR });
  for (const [name, secret] of Object.entries({ 'jwt-secret': jwtSecret, 'identity-key': identityKey })) {
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(readFileSync(join(DATA_DIR, name), 'utf8').trim()).toBe(secret);
    expect(statSync(join(DATA_DIR, name)).mode & 0o077).toBe(0);
  }
  expect(identityKey).not.toBe(jwtSecret);
  expect(readConfig({ DATA_DIR })).toMatchObject({ jwtSecret, identityKey });
});
