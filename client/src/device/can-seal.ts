/** Apart from the keys, since the page to sign in does without them. */

/** Not on plain http: whoever can read along there could as well change the program that seals. */
export const canSeal = (): boolean => Boolean((crypto as Partial<Crypto>).subtle);
