/** A text field that saves when it loses focus. A value that is not accepted is reset. */
import { TextInput, type TextInputProps } from '@mantine/core';

interface OnBlurFieldProps extends Omit<TextInputProps, 'value'> {
  value: string;
  /** A name in the data, not a text that people read. */
  isName?: boolean;
  /** Returns false if the value is not accepted. */
  onDone(text: string): unknown;
}

const NAME = { dir: 'ltr', spellCheck: false, autoCapitalize: 'off' };

export const OnBlurField = ({ value, isName, onDone, ...look }: OnBlurFieldProps) => (
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
