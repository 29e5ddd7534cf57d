/** A number field that saves when it loses focus. A value that is not accepted is reset. */
import { type ComponentProps, useState } from 'react';
import { readNumber } from '../../../../../../src/platform/lib/text/read-number.ts';
import { NumberField } from '../../../../ui/number-field.tsx';

interface OnBlurNumberFieldProps extends Omit<ComponentProps<typeof NumberField>, 'onChange' | 'onBlur'> {
  /** An empty text without a number. Returns false if the value is not accepted. */
  onDone(text: string): unknown;
}

export const OnBlurNumberField = (props: OnBlurNumberFieldProps) => (
  // Whatever else changes the value is shown at once.
  <Field key={props.value} {...props} />
);

function Field({ value, onDone, ...look }: OnBlurNumberFieldProps) {
  const [text, setText] = useState(value);
  const save = () => {
    const isNumber = text === '' || readNumber(text, look.decimals) !== null;
    if (!isNumber || onDone(text) === false) setText(value);
  };
  return (
    <NumberField
      size="md"
      {...look}
      value={text}
      onChange={setText}
      onBlur={() => {
        if (text !== value) save();
      }}
    />
  );
}
