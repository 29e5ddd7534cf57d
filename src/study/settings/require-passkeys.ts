/** Prevents requiring a second factor if nobody can have one, which would lock everyone out. */
import type { Config } from '../../platform/config.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { StudyRecord } from './model.ts';
import type { StudyPatch } from './schema.ts';

/** `hasPasskey`: whether the caller has a passkey; for a command, whether any super-admin has. */
export function requirePasskeysWork(
  { secondFactor: before }: StudyRecord,
  { secondFactor: after }: StudyPatch,
  { publicUrl }: Config,
  hasPasskey: boolean,
): void {
  if (after !== 'REQUIRED' || before === 'REQUIRED') return;
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:' && !/^(.+\.)?localhost$/.test(hostname))
    throw problem('INVALID_TRANSITION', { why: fault('PASSKEYS_NEED_HTTPS') });
  if (!hasPasskey) throw problem('INVALID_TRANSITION', { why: fault('CALLER_NEEDS_PASSKEY') });
}
