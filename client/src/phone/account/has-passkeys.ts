/** Browsers have it on https pages and on localhost alone. */
export const HAS_PASSKEYS = 'PublicKeyCredential' in globalThis;
