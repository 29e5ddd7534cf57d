/**
 * Recovery codes, each of which replaces a passkey once. Only hashes are stored. Unlike those of one-time codes they
 * have no key, because they must outlive a change of the service's secret, and 2^80 codes can't be guessed.
 */
import { createHash, randomInt } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { audit } from '../../../platform/audit/model.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { UserModel, type UserRecord } from '../../../study/users/model.ts';
import { SIGN_IN_LINK_ALPHABET } from '../sign-in-code.ts';

const CODE_COUNT = 10;
/** Groups of four, to be copied by hand. */
const GROUPS_PER_CODE = 4;
const GROUP_LENGTH = 4;

const newGroup = () =>
  Array.from(
    { length: GROUP_LENGTH },
    () => SIGN_IN_LINK_ALPHABET[randomInt(SIGN_IN_LINK_ALPHABET.length)],
  ).join('');
const newCode = () => Array.from({ length: GROUPS_PER_CODE }, newGroup).join('-');

export const newRecoveryCodes = (): string[] => Array.from({ length: CODE_COUNT }, newCode);

/** As typed: hyphens, spaces and case don't matter. */
const hashOfRecoveryCode = ({ _id }: Pick<UserRecord, '_id'>, code: string) =>
  createHash('sha256')
    .update(`${_id.toHexString()} ${code.replace(/[\s-]/g, '').toUpperCase()}`)
    .digest('base64url');

export const hashesOfRecoveryCodes = (user: Pick<UserRecord, '_id'>, codes: string[]): string[] =>
  codes.map((code) => hashOfRecoveryCode(user, code));

/** Uses up the code, or refuses it. */
export async function spendRecoveryCode(
  session: ClientSession,
  user: UserRecord,
  code: string,
  now: Date,
): Promise<void> {
  const { _id: record, location, recoveryCodes = [] } = user;
  const hash = hashOfRecoveryCode(user, code);
  if (!recoveryCodes.includes(hash)) throw problem('OTP_INVALID');
  await UserModel.collection.updateOne({ _id: record }, { $pull: { recoveryCodes: hash } } as object, {
    session,
  });
  const { length } = recoveryCodes;
  const changes = [{ path: 'recoveryCodes', before: length, after: length - 1 }];
  await audit(session, { by: record, now }, { action: 'update', subject: 'User', record, location, changes });
}
