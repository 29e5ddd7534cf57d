/** The doctor's findings for an installation that stops other commands. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examineCertificates } from '../../scripts/doctor/certificates.ts';
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
