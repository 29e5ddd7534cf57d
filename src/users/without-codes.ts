/** Accounts whose phone gets no codes by the settings of now: whoever updates or changes them must hear of it. */
import { canBeTexted, countryOf } from '../lib/phone.ts';
import { Users } from './model.ts';

/** "3 accounts (2 CA, 1 GB) have a number …", or null where all are served. */
export async function accountsWithoutCodes(countries: readonly string[]): Promise<string | null> {
  const left = new Map<string, number>();
  let count = 0;
  for await (const { phone } of Users.find({ deletedAt: null }, { phone: 1 })
    .lean()
    .cursor({ batchSize: 1_000 })) {
    if (canBeTexted(phone, countries)) continue;
    count += 1;
    const country = countryOf(phone) ?? 'of no country';
    left.set(country, (left.get(country) ?? 0) + 1);
  }
  if (count === 0) return null;
  const each = [...left]
    .map(([country, many]) => `${many} ${country}`)
    .sort()
    .join(', ');
  return `${count} account(s) (${each}) have a number that no code is sent to: a country that OTP_COUNTRIES does not name, or no mobile number. They cannot sign in again.`;
}
