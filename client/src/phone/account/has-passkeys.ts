/** Browsers only support passkeys on https and localhost. */
export const SUPPORTS_PASSKEYS = 'PublicKeyCredential' in globalThis;
