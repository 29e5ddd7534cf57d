/** The service as a WebAuthn relying party. Passkeys are bound to the host in `PUBLIC_URL`. */
import type { Config } from '../../../platform/config.ts';
import { problem } from '../../../platform/http/problems/problem.ts';

export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/** Ed25519, P-256 and RSA, which authenticators support. */
export const ALGORITHMS = [-8, -7, -257];

/** Imported lazily. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** Turns the library's errors about a response into a problem. */
export async function withErrorsAsPasskeyProblem<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (cause) {
    throw problem('PASSKEY_INVALID', { cause });
  }
}
