/** Phone numbers, checked against the world's numbering plans. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { hasNorthAmericanForm, isNewInUnitedStates } from './north-american.ts';

const MAX_LENGTH = 40;

/**
 * The number in E.164 format, or null if it does not exist in any numbering plan. For +1 its form is enough. National formats are read as the
 * region's. Numbers with an extension are refused, because a text message can't reach them.
 */
export function parsePhone(text: string, region: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  // Numbers copied from a contact list may contain invisible direction marks and narrow spaces.
  const plain = text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const parsed = parsePhoneNumberFromString(plain, {
    defaultCountry: region as CountryCode,
    extract: false,
  });
  if (!parsed || parsed.ext) return null;
  return parsed.isValid() || hasNorthAmericanForm(parsed.number) ? parsed.number : null;
}

/**
 * Whether codes may be sent to this number: a mobile number in one of these countries, or one that could be mobile or
 * fixed (as in the US). Other numbers are expensive or can't receive texts; satellite numbers belong to no country.
 */
export function canBeTexted(e164: string, countries: readonly string[]): boolean {
  if (isNewInUnitedStates(e164)) return countries.includes('US');
  const parsed = parsePhoneNumberFromString(e164);
  const type = parsed?.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return false;
  return parsed?.country !== undefined && countries.includes(parsed.country);
}

/** ISO country code; null for satellite numbers and the like. */
export const countryOf = (e164: string): string | null =>
  isNewInUnitedStates(e164) ? 'US' : (parsePhoneNumberFromString(e164)?.country ?? null);
