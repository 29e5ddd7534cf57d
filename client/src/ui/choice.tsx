/** A select field, using the device's native control. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core';

interface ChoiceProps extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  value: string;
  options: NonNullable<NativeSelectProps['data']>;
  /** Label of the empty option. */
  none?: string | false | undefined;
  onChange(value: string): void;
}

export const SelectField = ({ options, none, onChange, ...field }: ChoiceProps) => (
  <NativeSelect
    size="md"
    {...field}
    data={typeof none === 'string' ? [{ value: '', label: none }, ...options] : options}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
