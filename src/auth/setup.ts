/**
 * The first super-admin. Whoever holds the link that the log prints while there is none makes it. The link is derived
 * from the service's secret: each start and each process prints the same, and it is dead for good once it was used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { inTransaction, lock } from '../db/transaction.ts';
import { fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { insertUser, newUser } from '../users/create.ts';
import { hadSuperAdmin } from '../users/find.ts';
import type { UserRecord } from '../users/model.ts';
import type { VerifiedCode } from './otp.ts';

export function setupToken(config: Config): string {
  return createHmac('sha256', config.jwtSecret).update('first super-admin').digest('base64url');
}

/** Null where a super-admin exists. The token stands behind `#`, so that no server or proxy logs it. */
export async function setupLink(config: Config): Promise<string | null> {
  return (await hadSuperAdmin()) ? null : `${config.publicUrl}/setup#token=${setupToken(config)}`;
}

/**
 * How the operator makes the first super-admin; null where there is one. In production a log is read by many: the link
 * is shown in a terminal alone, and else kept in a file that only the service's account may read.
 */
export async function setupNotice(config: Config, isTerminal: boolean): Promise<string | null> {
  const file = join(config.dataDir, 'setup-link');
  const link = await setupLink(config);
  await rm(file, { force: true }).catch(() => {});
  if (!link) return null;
  if (isTerminal || !config.production)
    return `Make the first super-admin here (the link works once): ${link}`;
  const byCommand =
    'npm run users -- create --role SUPER_ADMIN --phone PHONE --first-name NAME --last-name NAME';
  const isWritten = await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    () => false,
  );
  return `There is no super-admin yet. ${isWritten ? `Open the link in ${file}, or run` : 'Run'}: ${byCommand}`;
}

const used = () => problem('FORBIDDEN', { why: fault('LINK_USED') });

/** Refuses a link that is wrong or used, before a message is sent to anyone. */
export async function requireSetupLink(config: Config, token: string): Promise<void> {
  const given = Buffer.from(token);
  const wanted = Buffer.from(setupToken(config));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw problem('FORBIDDEN');
  if (await hadSuperAdmin()) throw used();
}

/** Whose phone is proved: the link and the code are used up together, or neither. */
export async function makeFirstSuperAdmin(
  person: Pick<UserRecord, 'firstName' | 'lastName' | 'phone' | 'email'>,
  verified: VerifiedCode,
  now: Date,
): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    await lock(session, 'super-admins');
    if (await hadSuperAdmin(session)) throw used();
    await verified.consume(session);
    const user = newUser({ ...person, role: 'SUPER_ADMIN', approvalStatus: 'APPROVED' }, now);
    await insertUser(session, user, user._id);
    return user;
  });
}
