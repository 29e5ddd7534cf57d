/** A line that counts once it is left: what can't be is taken back. */
import { TextInput, type TextInputProps } from '@mantine/core';

interface LateFieldProps extends Omit<TextInputProps, 'value'> {
  value: string;
  /** A name in the data, and no text. */
  isName?: boolean;
  /** Answers false where it can't be. */
  onDone(text: string): unknown;
}

const NAME = { dir: 'ltr', spellCheck: false, autoCapitalize: 'off' };

export const LateField = ({ value, isName, onDone, ...look }: LateFieldProps) => (
  <TextInput
    // Whatever else changes the value is shown at once.
    key={value}
    size="md"
    defaultValue={value}
    {...(isName ? NAME : {})}
    {...look}
    onBlur={({ currentTarget }) => {
      const text = currentTarget.value.trim();
      if (text === value || onDone(text) === false) currentTarget.value = value;
    }}
  />
);
