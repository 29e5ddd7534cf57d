/** A choice among options, in the device's own way. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core';

interface ChoiceProps extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  value: string;
  options: NonNullable<NativeSelectProps['data']>;
  /** What stands before the options, for no choice. */
  none?: string | false | undefined;
  onChange(value: string): void;
}

export const Choice = ({ options, none, onChange, ...field }: ChoiceProps) => (
  <NativeSelect
    size="md"
    {...field}
    data={typeof none === 'string' ? [{ value: '', label: none }, ...options] : options}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
