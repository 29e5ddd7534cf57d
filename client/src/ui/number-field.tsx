/**
 * A field for a number: a text field with the keys of numbers, which reads digits of any script, a comma and a point.
 * The browser's own number fields change at the mouse wheel and drop what they can't read.
 */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { latinDigits } from '../../../src/platform/lib/text/latin-digits.ts';
import { plainNumber, readNumber } from '../../../src/platform/lib/text/read-number.ts';
import { faultText } from '../session/fault-text.ts';
import { refuseLetters } from './refuse-letters.ts';
import { rewriteInput } from './rewrite-input.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> {
  /** As JavaScript writes it; empty without a number. */
  value: string;
  /** None unless it says how many; `Infinity` for any. */
  decimals?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** What was typed, if that can't be read. */
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
  // What was typed stays as it is while it means the same number.
  const [typed, setTyped] = useState({ text: value, value });
  const [isFocused, setFocused] = useState(false);
  const text = typed.value === value ? typed.text : value;
  // A number that is being typed may not be one yet.
  const fault = isFocused ? null : faultOf(text, { decimals, min, max });
  return (
    <TextInput
      dir="ltr"
      autoComplete="off"
      // The keys of numbers have no minus on some phones.
      inputMode={min < 0 ? 'text' : decimals > 0 ? 'decimal' : 'numeric'}
      {...look}
      onBeforeInput={refuseLetters}
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
        const next = rewriteInput(currentTarget, latinDigits);
        const read = plainNumber(next, decimals);
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
