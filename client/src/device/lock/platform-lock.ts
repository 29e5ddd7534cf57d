/**
 * The phone's own screen lock (fingerprint, face, passcode) instead of a PIN: its authenticator derives a secret that
 * it only releases to its owner (WebAuthn, extension `prf`). Works without the service or a connection.
 */
import { randomBytes } from './wrap-key.ts';

const CHALLENGE_BYTES = 32;
const SALT_BYTES = 32;
const ES256 = -7;
const RS256 = -257;

export async function canUsePlatformLock(): Promise<boolean> {
  const credentials = globalThis.PublicKeyCredential as typeof PublicKeyCredential | undefined;
  try {
    if (!(await credentials?.isUserVerifyingPlatformAuthenticatorAvailable())) return false;
    const capabilities = (await credentials?.getClientCapabilities?.()) as
      | Record<string, boolean>
      | undefined;
    return capabilities?.['extension:prf'] === true;
  } catch {
    return false;
  }
}

/** The person declined, or the phone can't. */
export class NoPlatformLock extends Error {
  override readonly name = 'NoPlatformLock';
}

const secretIn = (credential: PublicKeyCredential): ArrayBuffer | undefined =>
  credential.getClientExtensionResults().prf?.results?.first as ArrayBuffer | undefined;

export async function createScreenLockSecret(name: string) {
  const salt = randomBytes(SALT_BYTES);
  const created = (await navigator.credentials
    .create({
      publicKey: {
        rp: { name: document.title },
        // A random user id, so that it can't replace a passkey for signing in.
        user: { id: randomBytes(SALT_BYTES), name, displayName: name },
        challenge: randomBytes(CHALLENGE_BYTES),
        pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: {
          authenticatorAttachment: 'platform',
          userVerification: 'required',
          residentKey: 'discouraged',
        },
        extensions: { prf: { eval: { first: salt } } },
      },
    })
    .catch(() => null)) as PublicKeyCredential | null;
  if (!created) throw new NoPlatformLock();
  const credential = created.rawId;
  return {
    credential,
    salt,
    secret: secretIn(created) ?? (await requestPlatformSecret({ credential, salt })),
  };
}

export async function requestPlatformSecret(of: {
  credential: ArrayBuffer;
  salt: Uint8Array<ArrayBuffer>;
}): Promise<ArrayBuffer> {
  const credential = (await navigator.credentials
    .get({
      publicKey: {
        challenge: randomBytes(CHALLENGE_BYTES),
        allowCredentials: [{ type: 'public-key', id: of.credential, transports: ['internal'] }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: of.salt } } },
      },
    })
    .catch(() => null)) as PublicKeyCredential | null;
  const secret = credential && secretIn(credential);
  if (!secret) throw new NoPlatformLock();
  return secret;
}
