/** Ignores keys that can't be part of a number, like the browser's own number fields. Pasted text is kept. */
import type { FormEvent } from 'react';

export function preventLetterInput(event: FormEvent): void {
  const { data } = event.nativeEvent as InputEvent;
  if (data && [...data].length === 1 && !/[\p{Nd}\s.,٫٬،'’−–-]/u.test(data)) event.preventDefault();
}
