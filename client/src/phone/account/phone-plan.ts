/**
 * The world's numbering plans. They are large, so only forms with a phone number load them, without the parts that
 * only the service needs. The service may refuse a number that passes here, but never the other way round.
 */
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { hasNorthAmericanForm } from '../../../../src/platform/lib/text/north-american.ts';

export interface PhonePlan {
  isPhone(text: string): boolean;
  /** As it is dialled from anywhere: +1 206 555 0150. What is no number stays as it is. */
  shown(text: string): string;
  /** As people of its country write it, and which that is where it is not the region; null for what is no number. */
  national(phone: string): { written: string; country: string | null } | null;
  /** A number of the region, as people there write it. */
  example: string;
}

export function phonePlanOf(region: string): PhonePlan {
  const defaultCountry = region as CountryCode;
  const read = (text: string) => {
    const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry, extract: false });
    return phone && (phone.isValid() || hasNorthAmericanForm(phone.number)) ? phone : null;
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
