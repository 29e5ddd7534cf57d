/**
 * A text field for numbers, with a numeric keyboard. It reads digits of any script, a comma, and a point. The
 * browser's own number fields change with the mouse wheel and drop what they can't read.
 */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { toLatinDigits } from '../../../src/platform/lib/text/latin-digits.ts';
import { normalizeNumberText, readNumber } from '../../../src/platform/lib/text/read-number.ts';
import { faultText } from '../session/fault-text.ts';
import { preventLetterInput } from './refuse-letters.ts';
import { rewriteTypedText } from './rewrite-input.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> {
  /** In JavaScript's notation; '' if empty. */
  value: string;
  /** Decimals allowed. Default: none; `Infinity` for any number. */
  decimals?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** Called with the text as typed if it isn't a number. */
  onChange(value: string): void;
}

export function NumberField({
  value,
  decimals = 0,
  min = 0,
  max,
  error,
  onChange,
  onBlur,
  onFocus,
  ...look
}: NumberFieldProps) {
  // The typed text stays as it is while it means the same number.
  const [typed, setTyped] = useState({ text: value, value });
  const [isFocused, setFocused] = useState(false);
  const text = typed.value === value ? typed.text : value;
  // No error while typing: the text may not be a complete number yet.
  const fault = isFocused ? null : faultOf(text, { decimals, min, max });
  return (
    <TextInput
      dir="ltr"
      autoComplete="off"
      // Some phones' numeric keyboards have no minus key.
      inputMode={min < 0 ? 'text' : decimals > 0 ? 'decimal' : 'numeric'}
      {...look}
      onBeforeInput={preventLetterInput}
      value={text}
      error={error ?? fault}
      onFocus={(event) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        onBlur?.(event);
      }}
      onChange={({ currentTarget }) => {
        const next = rewriteTypedText(currentTarget, toLatinDigits);
        const read = normalizeNumberText(next, decimals);
        setTyped({ text: next, value: read });
        onChange(read);
      }}
    />
  );
}

interface Limits {
  decimals: number;
  min: number;
  max: number | undefined;
}

function faultOf(text: string, { decimals, min, max = Number.POSITIVE_INFINITY }: Limits): string | null {
  if (text.trim() === '') return null;
  const number = readNumber(text, decimals);
  if (number === null)
    return faultText({ code: decimals > 0 ? 'NOT_NUMBER' : 'NOT_WHOLE', message: 'This must be a number.' });
  const message = 'This number is out of range.';
  if (number < min) return faultText({ code: 'TOO_SMALL', message, params: { limit: min } });
  return number > max ? faultText({ code: 'TOO_BIG', message, params: { limit: max } }) : null;
}
