/** Amounts as people write them. */
import { textDirection } from '../../src/lib/text-direction.ts';
import { once, tagOf } from './i18n.ts';

const formats = once(() => new Map<string, Intl.NumberFormat>());

/** "20.00" and USD: $20.00. */
export function moneyOf(amount: string, currency: string, language: string): string {
  const known = formats(language);
  const format =
    known.get(currency) ??
    new Intl.NumberFormat(tagOf(language), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  known.set(currency, format);
  if (textDirection(language) === 'ltr') return format.format(Number(amount));
  // Else "US$" would be read as "$US".
  return format
    .formatToParts(Number(amount))
    .map(({ type, value }) => (type === 'currency' ? `\u2066${value}\u2069` : value))
    .join('');
}

/** With the decimals of its amounts. */
export function sumOf(amounts: { amount: string }[]): string {
  const decimals = amounts[0]?.amount.split('.')[1]?.length ?? 0;
  return amounts.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(decimals);
}
