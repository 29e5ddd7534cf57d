/** A text field that saves when it loses focus. A value that isn't accepted is reset. */
import { TextInput, type TextInputProps } from '@mantine/core';

interface OnBlurFieldProps extends Omit<TextInputProps, 'value'> {
  value: string;
  /** A technical name, not a text for people. */
  isName?: boolean;
  /** Returns false if the value isn't accepted. */
  onDone(text: string): unknown;
}

const NAME = { dir: 'ltr', spellCheck: false, autoCapitalize: 'off' };

export const OnBlurField = ({ value, isName, onDone, ...look }: OnBlurFieldProps) => (
  <TextInput
    // Shows changes made elsewhere at once.
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
