/** Phone numbers, checked against the world's numbering plans. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

const LONGEST = 40;

/**
 * The number in E.164 format, or null if it does not exist in any numbering plan. National formats are read as the
 * region's. Numbers with an extension are refused, because a text message can't reach them.
 */
export function parsePhone(text: string, region: string): string | null {
  if (text.length > LONGEST) return null;
  // Numbers copied from a contact list may contain invisible direction marks and narrow spaces.
  const plain = text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const parsed = parsePhoneNumberFromString(plain, {
    defaultCountry: region as CountryCode,
    extract: false,
  });
  return parsed?.isValid() && !parsed.ext ? parsed.number : null;
}

/**
 * Whether codes may be sent to this number: a mobile number in one of these countries, or one that could be mobile or
 * fixed (as in the US). Other numbers are expensive or can't receive texts; satellite numbers belong to no country.
 */
export function canBeTexted(e164: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(e164);
  const type = parsed?.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return false;
  return parsed?.country !== undefined && countries.includes(parsed.country);
}

/** ISO country code; null for satellite numbers and the like. */
export const countryOf = (e164: string): string | null => parsePhoneNumberFromString(e164)?.country ?? null;
