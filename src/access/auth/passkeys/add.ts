/** Adds a passkey. The first one comes with recovery codes. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import mongoose from 'mongoose';
import { audit } from '../../../platform/audit/model.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import type { Deps } from '../../../platform/http/deps.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { fullName } from '../../../platform/lib/text/full-name.ts';
import type { AuthenticatedCaller } from '../../../platform/rights/actor.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { type Passkey, UserModel } from '../../../study/users/model.ts';
import { requireMayChangePasskeys, requireOwnSignIn } from '../../../study/users/passkeys.ts';
import { CHALLENGE_LIFETIME_MS, isValidChallenge, newChallenge } from './challenge.ts';
import { hashesOfRecoveryCodes, newRecoveryCodes } from './recovery-codes.ts';
import { ALGORITHMS, loadWebAuthn, relyingParty, withErrorsAsPasskeyProblem } from './relying-party.ts';
import type { PasskeyAttestation, PasskeyCreate } from './schema.ts';
import { spendChallenge } from './used-challenges.ts';

const MAX_PASSKEYS = 10;

export async function passkeyCreationOptions(
  { user, session }: AuthenticatedCaller,
  { config }: Deps,
  now: Date,
) {
  requireOwnSignIn(session);
  const [{ generateRegistrationOptions }, study] = await Promise.all([loadWebAuthn(), loadStudy()]);
  const name = fullName(user);
  return await generateRegistrationOptions({
    ...{ rpName: study.name, rpID: relyingParty(config).rpID, userName: name, userDisplayName: name },
    // The browser returns it when the passkey is used, to find the account.
    userID: new Uint8Array(user._id.id),
    challenge: newChallenge(config, `create ${user._id.toHexString()}`, now),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    excludeCredentials: (user.passkeys ?? []).map(({ credential: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Checks again in the transaction whether there are passkeys, because another request may have added one and only the
 * first comes with recovery codes.
 */
export async function addPasskey(
  caller: AuthenticatedCaller,
  { config }: Deps,
  body: PasskeyCreate,
  now: Date,
) {
  requireOwnSignIn(caller.session);
  const { challenge, ...credential } = await checkAttestation(caller, config, body.response, now);
  const passkey: Passkey = {
    ...{ id: new mongoose.Types.ObjectId(), name: body.name, ...credential },
    ...{ createdAt: now, lastUsedAt: null },
  };
  return await inTransaction(async (session) => {
    const user = await requireMayChangePasskeys(session, caller);
    const { _id: record, location, passkeys = [] } = user;
    if (passkeys.length >= MAX_PASSKEYS)
      throw problem('INVALID_TRANSITION', { why: fault('TOO_MANY_PASSKEYS', { most: MAX_PASSKEYS }) });
    await spendChallenge(session, challenge, now);
    const recoveryCodes = passkeys.length === 0 ? newRecoveryCodes() : undefined;
    const change = {
      $push: { passkeys: passkey },
      ...(recoveryCodes && { $set: { recoveryCodes: hashesOfRecoveryCodes(user, recoveryCodes) } }),
    };
    await UserModel.collection.updateOne({ _id: record }, change as object, { session });
    const changes = [{ path: 'passkeys', before: null, after: passkey.name }];
    const event = { action: 'update', subject: 'User', record, location, changes } as const;
    await audit(session, { by: record, now }, event);
    return { ...passkey, ...(recoveryCodes && { recoveryCodes }) };
  }, caller.deadline);
}

async function checkAttestation(
  { user }: AuthenticatedCaller,
  config: Deps['config'],
  attestation: PasskeyAttestation,
  now: Date,
): Promise<Pick<Passkey, 'credential' | 'publicKey' | 'counter' | 'transports'> & { challenge: string }> {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { rpID, origin } = relyingParty(config);
  let challenge = '';
  const { registrationInfo } = await withErrorsAsPasskeyProblem(() =>
    verifyRegistrationResponse({
      response: { ...attestation, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: (signed) => {
        challenge = signed;
        return isValidChallenge(config, `create ${user._id.toHexString()}`, signed, now);
      },
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!registrationInfo) throw problem('PASSKEY_INVALID');
  const { id: credential, publicKey, counter } = registrationInfo.credential;
  const { transports = [] } = attestation.response;
  return {
    challenge,
    credential,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports,
  };
}
