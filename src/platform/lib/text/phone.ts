/** Phone numbers, checked against the world's numbering plans. */
import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { hasNewUnitedStatesAreaCode, hasNorthAmericanPhoneFormat } from './north-american.ts';

const MAX_LENGTH = 40;

/**
 * The number in E.164 format, or null if it doesn't exist in any numbering plan. For +1, the right format is enough.
 * National formats are read as the region's. Numbers with an extension are refused, because a text message can't reach
 * them.
 */
export function parsePhone(text: string, region: string): string | null {
  const parsed = parse(text, region);
  return parsed && (parsed.isValid() || hasNorthAmericanPhoneFormat(parsed.number)) ? parsed.number : null;
}

/** Like parsePhone, but also null if the number can't be texted (canBeTexted). Parses only once. */
export function parseTextablePhone(
  text: string,
  { region, countries }: { region: string; countries: readonly string[] },
): string | null {
  const parsed = parse(text, region);
  return parsed && isTextable(parsed, countries) ? parsed.number : null;
}

function parse(text: string, region: string): PhoneNumber | null {
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
  return parsed && !parsed.ext ? parsed : null;
}

/**
 * Whether codes may be sent to this number: a mobile number in one of these countries, or one that could be mobile or
 * landline (as in the US). Other numbers are expensive or can't receive texts; satellite numbers belong to no country.
 */
export function isTextableNumber(e164: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed
    ? isTextable(parsed, countries)
    : hasNewUnitedStatesAreaCode(e164) && countries.includes('US');
}

function isTextable(parsed: PhoneNumber, countries: readonly string[]): boolean {
  if (hasNewUnitedStatesAreaCode(parsed.number)) return countries.includes('US');
  if (parsed.country === undefined || !countries.includes(parsed.country)) return false;
  const type = parsed.getType();
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
}

/** ISO country code; null for satellite numbers and the like. */
export const phoneCountryOf = (e164: string): string | null =>
  hasNewUnitedStatesAreaCode(e164) ? 'US' : (parsePhoneNumberFromString(e164)?.country ?? null);
