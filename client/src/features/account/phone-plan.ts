/**
 * The world's numbering plans. Large, so only a form that asks for a phone number loads them, and without the parts
 * that only the service needs: a number that passes here may still be refused there, and none the other way round.
 */
import { type CountryCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';

export interface PhonePlan {
  isPhone(text: string): boolean;
  /** As it is dialled from anywhere: +1 206 555 0150. What is no number stays as it is. */
  shown(text: string): string;
  /** A number of the region, as people there write it. */
  example: string;
}

export function planOf(region: string): PhonePlan {
  const defaultCountry = region as CountryCode;
  const read = (text: string) => {
    const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry, extract: false });
    return phone?.isValid() ? phone : null;
  };
  return {
    isPhone: (text) => read(text) !== null,
    shown: (text) => read(text)?.formatInternational() ?? text,
    example: getExampleNumber(defaultCountry, examples)?.formatNational() ?? '',
  };
}
