/** One of the sites, as a field of a form. */
import { NativeSelect } from '@mantine/core';
import { useLocations } from '../records.ts';
import { useDeskText } from './desk-text.ts';

interface SiteSelectProps {
  value: string;
  onChange(value: string): void;
  /** Only these are offered. */
  may?(id: string): boolean;
  /** What stands for no site at all; without it one must be chosen. */
  none?: string;
  error?: string | undefined;
  description?: string;
}

export function SiteSelect({ value, onChange, may = () => true, none, error, description }: SiteSelectProps) {
  const { t } = useDeskText();
  const all = useLocations();
  const open = all.filter(({ id }) => id === value || may(id));
  const gone = value !== '' && !all.some(({ id }) => id === value);
  return (
    <NativeSelect
      mt="md"
      label={t('common.site')}
      description={description}
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        ...(none !== undefined || value === '' ? [{ value: '', label: none ?? t('common.chooseSite') }] : []),
        ...open.map(({ id, name }) => ({ value: id, label: name })),
        ...(gone ? [{ value, label: t('common.retiredSite') }] : []),
      ]}
    />
  );
}
