/** Runs all checks, in the order in which problems should be fixed. */
import type { Config } from '../../src/platform/config.ts';
import { type BackupRecord, lastBackupRecord } from '../../src/platform/db/last-backup.ts';
import { withDatabase } from '../database.ts';
import { unreadableEnvFile } from '../env-file.ts';
import { examineBackup, examineDisks } from './backup.ts';
import { examineCertificates } from './certificates.ts';
import { connectionFinding, examineClock, examineDatabase, hasNoDatabase } from './database.ts';
import { type Finding, failure, type Part, RESTART, stateOf, warning } from './finding.ts';
import { examineProxy } from './proxy.ts';
import { examineFiles, examineSecrets, examineSettings, readSettings } from './settings.ts';
import { examineTime } from './time.ts';
import { examineTwilio } from './twilio.ts';

interface InDatabase {
  database: Finding[];
  clock: Finding[];
  proxy: Finding[];
  /** Undefined where the database could not be asked. */
  last: BackupRecord | null | undefined;
}

export async function examine(env: NodeJS.ProcessEnv, now: Date, backups: string): Promise<Part[]> {
  const settings = readSettings(env);
  const { config } = settings;
  const unreadable = unreadableEnvFile(env);
  // Nothing else can be known: the other parts would be judged as those of a new installation.
  if (unreadable) return [{ name: 'settings', findings: [failure(unreadable.text, unreadable.fix)] }];
  const [inDatabase, certificates, twilio] = await Promise.all([
    askDatabase(config),
    examineCertificates(config, now),
    examineTwilio(settings),
  ]);
  const { database, clock, proxy, last } = inDatabase;
  const parts = {
    settings: examineSettings(settings),
    secrets: examineSecrets(settings),
    files: examineFiles(settings, backups),
    disk: await examineDisks(config, backups),
    database,
    clock,
    certificates,
    proxy,
    twilio,
    backup: await examineBackup(config, { folder: backups, last, now }),
  };
  return Object.entries(parts).map(([name, findings]) => ({ name, findings }));
}

/** All that needs the database. Nothing is changed in it, and no migration runs. */
async function askDatabase(config: Config): Promise<InDatabase> {
  const unknown = warning('Not known: the database can’t be reached.', 'Fix the database first.');
  const without = async (database: Finding) => ({
    ...{ database: [database], clock: [unknown, ...(await examineTime(config))], last: undefined },
    proxy: await examineProxy(config, false),
  });
  if (hasNoDatabase(config))
    return without(warning('There is none yet.', `Starting the service creates it: ${RESTART}`));
  const log = { info: () => {}, warn: () => {} };
  try {
    return await withDatabase(config, log, async () => {
      const database = await examineDatabase(config);
      const mayRead = stateOf(database) !== 'WRONG';
      return {
        database,
        clock: [...(await examineClock()), ...(await examineTime(config))],
        last: mayRead ? await lastBackupRecord() : undefined,
        proxy: await examineProxy(config, mayRead),
      };
    });
  } catch (error) {
    return without(connectionFinding(error));
  }
}
