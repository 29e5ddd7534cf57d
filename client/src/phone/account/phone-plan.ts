/**
 * The world's numbering plans. They are large, so only forms with a phone number load them, without the parts that
 * only the service needs. The service may refuse a number accepted here, but never the other way around.
 */
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { hasNorthAmericanPhoneFormat } from '../../../../src/platform/lib/text/north-american.ts';

export interface PhoneNumberFormatter {
  isPhone(text: string): boolean;
  /** In international format: +1 206 555 0150. Returned unchanged if it isn't a number. */
  shown(text: string): string;
  /** In its country's format, and that country if it isn't the region's; null if it isn't a number. */
  national(phone: string): { written: string; country: string | null } | null;
  /** A number of the region, in its usual format. */
  example: string;
}

export function phonePlanOf(region: string): PhoneNumberFormatter {
  const defaultCountry = region as CountryCode;
  const read = (text: string) => {
    const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry, extract: false });
    return phone && (phone.isValid() || hasNorthAmericanPhoneFormat(phone.number)) ? phone : null;
  };
  return {
    isPhone: (text) => read(text) !== null,
    shown: (text) => read(text)?.formatInternational() ?? text,
    national: (text) => {
      const phoneNumber = read(text);
      if (!phoneNumber) return null;
      const elsewhere = phoneNumber.country !== undefined && phoneNumber.country !== defaultCountry;
      return {
        written: phoneNumber.formatNational(),
        country: elsewhere ? (phoneNumber.country ?? null) : null,
      };
    },
    example: getExampleNumber(defaultCountry, examples)?.formatNational() ?? '',
  };
}
