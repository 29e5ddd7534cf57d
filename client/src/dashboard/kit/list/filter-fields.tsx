/** Form fields that filter a list. */
import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { toLatinDigits } from '../../../../../src/platform/lib/text/latin-digits.ts';
import { useLocations } from '../../../session/records.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { rewriteTypedText } from '../../../ui/rewrite-input.ts';
import type { Location } from '../../../wire.ts';
import { useDashboardText } from '../words/dashboard-text.ts';

const TYPING_MS = 300;

export type SelectOption = { value: string; label: string };

export interface FilterFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

interface ChoiceFilterProps extends FilterFieldProps {
  options: SelectOption[];
  /** Label of the option without a filter. */
  all?: string;
}

export function ChoiceFilter({ label, value, onChange, options, all }: ChoiceFilterProps) {
  const { t } = useDashboardText();
  const isOption = value === '' || options.some((option) => option.value === value);
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      none={all ?? t('common.all')}
      options={isOption ? options : [...options, { value, label: '–' }]}
    />
  );
}

interface SiteFilterProps {
  label?: string | undefined;
  value: string;
  onChange(value: string): void;
  /** Only these sites, if not all can match. */
  sites?: Location[];
}

export function SiteFilter({ label, value, onChange, sites }: SiteFilterProps) {
  const { t } = useDashboardText();
  const all = useLocations();
  const options = (sites ?? all).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <ChoiceFilter
      label={label ?? t('common.site')}
      value={value}
      onChange={onChange}
      options={options}
      all={t('common.allSites')}
    />
  );
}

/** Next to a title; has no visible label. */
export function SiteChoice({ value, onChange }: SiteFilterProps) {
  const { t } = useDashboardText();
  const options = useLocations().map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      aria-label={t('common.site')}
      value={value}
      onChange={onChange}
      none={t('common.allSites')}
      options={options}
    />
  );
}

/** Text of a field: reported after a pause in typing, once it is complete. The URL follows a moment later. */
function useTyped({ value, onChange }: FilterFieldProps, isWhole: (text: string) => boolean = () => true) {
  const [text, setText] = useState(value);
  /** Reported, but not yet back as `value`. */
  const reported = useRef<string[]>([]);
  useEffect(() => {
    const at = reported.current.indexOf(value);
    reported.current = at < 0 ? [] : reported.current.slice(at + 1);
    // An echo of the field's own report must not overwrite it: it was trimmed, or more was typed since.
    if (at < 0) setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === value || reported.current.includes(text.trim()) || !isWhole(text)) return;
    const timer = setTimeout(() => {
      reported.current.push(text.trim());
      onChange(text.trim());
    }, TYPING_MS);
    return () => clearTimeout(timer);
  });
  return [text, setText] as const;
}

export function SearchFilter({ placeholder, ...field }: FilterFieldProps & { placeholder?: string }) {
  const [text, setText] = useTyped(field);
  return (
    <TextInput
      size="md"
      type="search"
      label={field.label}
      placeholder={placeholder}
      value={text}
      // Accepts digits of any script in codes and phone numbers.
      onChange={(event) => setText(rewriteTypedText(event.currentTarget, toLatinDigits))}
    />
  );
}

/** While a year is being typed, it starts with zeros. */
const hasWholeYear = (day: string) => !day.startsWith('0');

export function DayFilter(field: FilterFieldProps) {
  const [text, setText] = useTyped(field, hasWholeYear);
  return (
    <TextInput
      size="md"
      type="date"
      label={field.label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => {
        if (!hasWholeYear(text)) setText(field.value);
      }}
    />
  );
}
