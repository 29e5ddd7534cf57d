/** The doctor's findings for an installation that stops other commands. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examineCertificates } from '../../scripts/doctor/certificates.ts';
import { connectionFinding } from '../../scripts/doctor/database.ts';
import { readSettings } from '../../scripts/doctor/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the doctor creates no secret', () => {
  const { config, faults } = readSettings({ DATA_DIR: folder });
  expect(faults).toEqual([]);
  expect(config.jwtSecret.length).toBeGreaterThanOrEqual(32);
  expect(readdirSync(folder)).toEqual([]);
});

test('an unreadable secret is a finding, and the other settings are still checked', () => {
  const dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'jwt-secret'), { recursive: true });
  const { config, faults } = readSettings({ DATA_DIR: dataDir, TIME_ZONE: 'Asia/Tokyo' });
  expect(faults).toEqual([expect.stringContaining('EISDIR')]);
  expect(config.timeZone).toBe('Asia/Tokyo');
});

test('a CA file that is not a certificate is a finding', async () => {
  const file = join(folder, 'ca.pem');
  writeFileSync(file, 'no certificate');
  const mongoUri = `mongodb://127.0.0.1:1/?tls=true&tlsCAFile=${file}`;
  const { config } = readSettings({ DATA_DIR: folder, MONGO_URI: mongoUri });
  expect(await examineCertificates(config, new Date())).toContainEqual(
    expect.objectContaining({ state: 'WRONG', text: 'The database’s authority is not a certificate.' }),
  );
});

/** As the driver says that no primary was found. */
const selectionError = (servers: Record<string, { type: string; error?: unknown }>) =>
  Object.assign(new Error('no primary'), { reason: { servers: new Map(Object.entries(servers)) } });

test('a lost majority is reported with the members that respond and those that don’t', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const { state, text, fix } = connectionFinding(
    selectionError({
      'db1:27017': { type: 'RSSecondary' },
      'db2:27017': { type: 'Unknown', error: refused },
      'db3:27017': { type: 'Unknown', error: refused },
    }),
  );
  expect({ state, text }).toEqual({
    state: 'WRONG',
    text: 'There is no primary: only 1 of 3 members answer (db1:27017), and db2:27017 (ECONNREFUSED), db3:27017 (ECONNREFUSED) don’t. A majority is needed.',
  });
  expect(fix).toMatch(/^On db2:27017 and db3:27017: sudo systemctl status mongod/);
});

test('an expired certificate of all members is a finding about certificates', () => {
  const expired = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
  expect(
    connectionFinding(selectionError({ 'db1:27017': { type: 'Unknown', error: expired } })),
  ).toMatchObject({
    text: 'The certificate of the database is refused: CERT_HAS_EXPIRED.',
    fix: expect.stringContaining('certificates'),
  });
});
