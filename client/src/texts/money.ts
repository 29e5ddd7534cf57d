/** Formats amounts of money. */
import { decimalsOf } from '../../../src/platform/lib/decimals.ts';
import { textDirection } from '../../../src/platform/lib/languages/text-direction.ts';
import { localeTagOf, oncePerLanguage } from './i18n.ts';

const formats = oncePerLanguage(() => new Map<string, Intl.NumberFormat>());

/** ("20.00", "USD") becomes $20.00. */
export function moneyText(amount: string, currency: string, language: string): string {
  const cachedFormats = formats(language);
  const decimals = decimalsOf(amount);
  const key = `${currency} ${decimals}`;
  const format =
    cachedFormats.get(key) ??
    new Intl.NumberFormat(localeTagOf(language), {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      // Not the currency's usual number of decimals, which may be none.
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  cachedFormats.set(key, format);
  if (textDirection(language) === 'ltr') return format.format(Number(amount));
  // Otherwise right-to-left text would show "US$" as "$US".
  return format
    .formatToParts(Number(amount))
    .map(({ type, value }) => (type === 'currency' ? `\u2066${value}\u2069` : value))
    .join('');
}

/** With as many decimals as the amounts have. */
export const sumOfAmounts = (amounts: { amount: string }[]): string =>
  amounts.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(decimalsOf(amounts[0]?.amount ?? ''));
