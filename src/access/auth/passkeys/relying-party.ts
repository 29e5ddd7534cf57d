/** The service as WebAuthn knows it. Passkeys are bound to the host in `PUBLIC_URL`. */
import type { Config } from '../../../platform/config.ts';
import { problem } from '../../../platform/http/problems/problem.ts';

export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/** Ed25519, P-256 and RSA: what authenticators have. */
export const ALGORITHMS = [-8, -7, -257];

/** Loaded when first needed. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

/** The library throws on each fault of a response. */
export async function refuseFaults<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (cause) {
    throw problem('PASSKEY_INVALID', { cause });
  }
}
