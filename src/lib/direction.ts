/** Which way a language is read. Safe in a browser: not every one of them can tell by itself. */
const RIGHT_TO_LEFT = new Set('ar arc ckb dv fa he ks ps sd syr ug ur yi'.split(' '));

/** "es" for `es-MX`. */
export const primaryOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(primaryOf(tag)) ? 'rtl' : 'ltr';
