/** Which PINs are allowed. */
import { toLatinDigits } from '../../../../src/platform/lib/text/latin-digits.ts';

export const MIN_PIN_DIGITS = 6;
export const MAX_PIN_DIGITS = 12;

/** Digits of any script: an Arabic keyboard types ١٢٣. */
export const digitsIn = (text: string): string => toLatinDigits(text).replace(/\D/g, '');

/** Common PINs that no rule below covers. */
const COMMON_PINS = [
  '112233',
  '123321',
  '159753',
  '147258',
  '147852',
  '258456',
  '789456',
  '123654',
  '159357',
  '102030',
];

/** Whether someone might guess it within about ten tries. `phone`: the person's own number. */
export function isWeakPin(pin: string, phone = ''): boolean {
  return (
    isSequence(pin) ||
    isRepeatedPattern(pin) ||
    COMMON_PINS.includes(pin) ||
    isBirthday(pin) ||
    digitsIn(phone).includes(pin)
  );
}

/** 123456, 876543, 890123, 246802. */
function isSequence(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10);
  return steps.every((step) => step === steps[0]);
}

/** 121212, 123123, or at most two different digits, such as 111222. */
const isRepeatedPattern = (pin: string): boolean => /^(\d{1,3})\1+$/.test(pin) || new Set(pin).size < 3;

/** A date of the last or this century, in any order: 240687, 19870624. */
function isBirthday(pin: string): boolean {
  const isDay = (month: string, day: string) =>
    Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  const [, year, one = '', other = ''] = /^(19\d\d|20[012]\d)(\d\d)(\d\d)$/.exec(pin) ?? [];
  if (year) return isDay(one, other);
  const [, first = '', second = '', last] = /^(\d\d)(\d\d)(19\d\d|20[012]\d)$/.exec(pin) ?? [];
  return last !== undefined && (isDay(first, second) || isDay(second, first));
}
