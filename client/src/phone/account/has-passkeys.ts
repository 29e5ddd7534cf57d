/** Browsers only support passkeys on https and localhost. */
export const HAS_PASSKEYS = 'PublicKeyCredential' in globalThis;
