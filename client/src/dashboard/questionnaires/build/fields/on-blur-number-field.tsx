/** A number field that saves when it loses focus. A value that isn't accepted is reset. */
import { type ComponentProps, useState } from 'react';
import { readNumber } from '../../../../../../src/platform/lib/text/read-number.ts';
import { NumberField } from '../../../../ui/number-field.tsx';

interface OnBlurNumberFieldProps extends Omit<ComponentProps<typeof NumberField>, 'onChange' | 'onBlur'> {
  /** Called with '' if there is no number. Returns false if the value isn't accepted. */
  onDone(text: string): unknown;
}

export const OnBlurNumberField = (props: OnBlurNumberFieldProps) => (
  // Shows changes made elsewhere at once.
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
