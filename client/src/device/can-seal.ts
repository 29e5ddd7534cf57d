/** In its own file, so that the sign-in page doesn't load the key code. */

/** False on plain http: anyone who can read that traffic could also change the code that encrypts. */
export const canSeal = (): boolean => Boolean((crypto as Partial<Crypto>).subtle);
