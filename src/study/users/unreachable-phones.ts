/** Warns at startup about accounts that can't receive codes with the current settings. */
import { isTextableNumber, phoneCountryOf } from '../../platform/lib/text/phone.ts';
import { HAS_PHONE_NUMBER, UserModel } from './model.ts';

/** "3 accounts (2 CA, 1 GB) have a number …", or null if all of them can receive codes. */
export async function describeUnreachablePhones(countries: readonly string[]): Promise<string | null> {
  const countByCountry = new Map<string, number>();
  let count = 0;
  for await (const { phone } of UserModel.find({ deletedAt: null, phone: HAS_PHONE_NUMBER }, { phone: 1 })
    .lean()
    .cursor({ batchSize: 1_000 })) {
    if (isTextableNumber(phone, countries)) continue;
    count += 1;
    const country = phoneCountryOf(phone) ?? 'of no country';
    countByCountry.set(country, (countByCountry.get(country) ?? 0) + 1);
  }
  if (count === 0) return null;
  const each = [...countByCountry]
    .map(([country, many]) => `${many} ${country}`)
    .sort()
    .join(', ');
  return `${count} account(s) (${each}) have a number that no code is sent to: a country that OTP_COUNTRIES does not name, or no mobile number. They cannot sign in again.`;
}
