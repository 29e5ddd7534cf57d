/** Phone numbers, by the world's numbering plans. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Far more than any way of writing a number needs. */
const LONGEST = 40;

/**
 * E.164 of a number that a plan really has, or null. National forms are read as the region's. Numbers with an
 * extension are refused: a text message can't reach one.
 */
export function parsePhone(text: string, region: string): string | null {
  if (text.length > LONGEST) return null;
  const parsed = parsePhoneNumberFromString(text.trim(), {
    defaultCountry: region as CountryCode,
    extract: false,
  });
  return parsed?.isValid() && !parsed.ext ? parsed.number : null;
}

/**
 * Whether a code may be sent there: a mobile number, or one of a plan that does not tell mobile from fixed lines (as in
 * the US), in one of these countries. Satellites and the like belong to no country; what is left out costs much, can't
 * be texted, or both.
 */
export function canBeTexted(e164: string, countries: readonly string[]): boolean {
  const parsed = parsePhoneNumberFromString(e164);
  const type = parsed?.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return false;
  return parsed?.country !== undefined && countries.includes(parsed.country);
}

/** As ISO has it; null for numbers of satellites and the like. */
export const countryOf = (e164: string): string | null => parsePhoneNumberFromString(e164)?.country ?? null;

/** For logs: only the last two digits. */
export function maskPhone(e164: string): string {
  return `***${e164.slice(-2)}`;
}
