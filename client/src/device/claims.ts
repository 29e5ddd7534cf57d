/** A token's claims, not verified. */
interface Claims {
  /** Absent in tokens of earlier versions. */
  sid?: string;
  /** Expiry, in seconds. */
  exp?: number;
}

export function unverifiedTokenClaims(token: string): Claims {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(atob(payload)) as Claims;
  } catch {
    return {};
  }
}
