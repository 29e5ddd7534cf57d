/** The reading direction of a language, because not every browser's Intl knows it. Browser-safe. */
const RIGHT_TO_LEFT = new Set('ar arc ckb dv fa he ks ps sd syr ug ur yi'.split(' '));

/** "es" for "es-MX". */
export const primarySubtagOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

export const textDirection = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(primarySubtagOf(tag)) ? 'rtl' : 'ltr';
