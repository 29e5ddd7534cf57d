/** One of the sites, as a field of a form. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useLocations } from '../records.ts';
import { useDeskText } from './desk-text.ts';

export interface SiteSelectProps extends NativeSelectProps {
  value: string;
  /** Only these are offered. */
  may?(id: string): boolean;
  /** What stands for no site at all; without it one must be chosen. */
  none?: string;
}

export function SiteSelect({ value, may = () => true, none, ...field }: SiteSelectProps) {
  const { t } = useDeskText();
  const all = useLocations();
  const open = all.filter(({ id }) => id === value || may(id));
  const gone = value !== '' && !all.some(({ id }) => id === value);
  return (
    <NativeSelect
      {...field}
      value={value}
      data={[
        ...(none !== undefined || value === '' ? [{ value: '', label: none ?? t('common.chooseSite') }] : []),
        ...open.map(({ id, name }) => ({ value: id, label: name })),
        ...(gone ? [{ value, label: t('common.retiredSite') }] : []),
      ]}
    />
  );
}
