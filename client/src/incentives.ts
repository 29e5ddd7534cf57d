/** What the study pays, and amounts as people write them. */
import { once, tagOf } from './i18n.ts';
import type { Study } from './wire.ts';

export type Pays = Study['incentives'] & { currency: string };

/** Null where nothing is paid. A copy on the device may be from before there were incentives. */
export function paysOf(study: Partial<Pick<Study, 'incentives'>> | undefined): Pays | null {
  const { currency = null, interview = null, recruit = null, recruitLimit = null } = study?.incentives ?? {};
  if (currency === null || (interview === null && recruit === null)) return null;
  return { currency, interview, recruit: recruitLimit === 0 ? null : recruit, recruitLimit };
}

/** Also while nothing is paid for new interviews, something may be due for earlier ones. */
export const everPays = (study: Parameters<typeof paysOf>[0]): boolean =>
  (study?.incentives?.currency ?? null) !== null;

const formats = once(() => new Map<string, Intl.NumberFormat>());

/** "20.00" and USD: $20.00. */
export function moneyOf(amount: string, currency: string, language: string): string {
  const known = formats(language);
  const format =
    known.get(currency) ??
    new Intl.NumberFormat(tagOf(language), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  known.set(currency, format);
  return format.format(Number(amount));
}
