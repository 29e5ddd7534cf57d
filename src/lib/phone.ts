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

/** For logs: only the last two digits. */
export function maskPhone(e164: string): string {
  return `***${e164.slice(-2)}`;
}
