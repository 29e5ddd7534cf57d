/**
 * The first super-admin is created with a link that is logged as long as there is none. The link is derived from the
 * service's secret, so each start and each process shows the same one. It works once.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { inTransaction, lockInTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { insertUser, newUser } from '../../study/users/create.ts';
import { hadSuperAdmin } from '../../study/users/find.ts';
import type { UserRecord } from '../../study/users/model.ts';
import type { VerifiedOtp } from './otp/otp.ts';

export function setupToken(config: Config): string {
  return createHmac('sha256', config.jwtSecret).update('first super-admin').digest('base64url');
}

/** Null if a super-admin exists. The token comes after `#`, so that no server or proxy logs it. */
export async function setupLink(config: Config): Promise<string | null> {
  return (await hadSuperAdmin()) ? null : `${config.publicUrl}/setup#token=${setupToken(config)}`;
}

/**
 * Tells the operator how to create the first super-admin; null if there is one. Many people may be able to read a
 * production log, so the link is only shown in a terminal; otherwise it is written to a file that only the service's
 * account can read.
 */
export async function setupNotice(config: Config, isTerminal: boolean): Promise<string | null> {
  const file = join(config.dataDir, 'setup-link');
  const link = await setupLink(config);
  await rm(file, { force: true }).catch(() => {});
  if (!link) return null;
  if (isTerminal || !config.production)
    return `Create the first super-admin here (the link works once): ${link}`;
  const byCommand =
    'npm run users -- create --role SUPER_ADMIN --phone PHONE --first-name NAME --last-name NAME';
  const isWritten = await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    .then(() => writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' }))
    .then(
      () => true,
      () => false,
    );
  return `There is no super-admin yet. ${isWritten ? `Open the link in ${file}, or run` : 'Run'}: ${byCommand}`;
}

const linkUsedProblem = () => problem('FORBIDDEN', { why: fault('LINK_USED') });

/** Refuses a wrong or used link before a message is sent. */
export async function requireSetupLink(config: Config, token: string): Promise<void> {
  const received = Buffer.from(token);
  const expected = Buffer.from(setupToken(config));
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) throw problem('FORBIDDEN');
  if (await hadSuperAdmin()) throw linkUsedProblem();
}

/** For a verified phone. The link and the code are used up together, or neither is. */
export async function createFirstSuperAdmin(
  person: Pick<UserRecord, 'firstName' | 'lastName' | 'phone' | 'email'>,
  verified: VerifiedOtp,
  { now, deadline }: Omit<Author, 'by'>,
): Promise<UserRecord> {
  return await inTransaction(async (session) => {
    await lockInTransaction(session, 'super-admins');
    if (await hadSuperAdmin(session)) throw linkUsedProblem();
    await verified.consume(session);
    const rights = { role: 'SUPER_ADMIN', approvalStatus: 'APPROVED' } as const;
    const user = newUser({ ...person, ...rights, phoneProvedAt: now }, now);
    await insertUser(session, user, user._id);
    return user;
  }, deadline);
}
