/** A key that is in no number does nothing in a field for numbers, as in the browser's own. What is pasted stays. */
import type { FormEvent } from 'react';

export function refuseLetters(event: FormEvent): void {
  const { data } = event.nativeEvent as InputEvent;
  if (data && [...data].length === 1 && !/[\p{Nd}\s.,٫٬،'’−–-]/u.test(data)) event.preventDefault();
}
