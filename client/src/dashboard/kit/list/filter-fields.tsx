/** The fields that narrow a list. */
import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { latinDigits } from '../../../../../src/platform/lib/text/latin-digits.ts';
import { useLocations } from '../../../session/records.ts';
import { Choice } from '../../../ui/choice.tsx';
import { rewriteInput } from '../../../ui/rewrite-input.ts';
import type { Location } from '../../../wire.ts';
import { useDeskText } from '../words/desk-text.ts';

const TYPING_MS = 300;

export type Option = { value: string; label: string };

export interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

interface ChoiceFilterProps extends FieldProps {
  options: Option[];
  /** What the choice of none is called. */
  all?: string;
}

export function ChoiceFilter({ label, value, onChange, options, all }: ChoiceFilterProps) {
  const { t } = useDeskText();
  const isOption = value === '' || options.some((option) => option.value === value);
  return (
    <Choice
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
  /** Only these, where not all sites can match. */
  sites?: Location[];
}

export function SiteFilter({ label, value, onChange, sites }: SiteFilterProps) {
  const { t } = useDeskText();
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

/** Beside a title: what stands in it says enough. */
export function SiteChoice({ value, onChange }: SiteFilterProps) {
  const { t } = useDeskText();
  const options = useLocations().map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Choice
      aria-label={t('common.site')}
      value={value}
      onChange={onChange}
      none={t('common.allSites')}
      options={options}
    />
  );
}

/** What stands in a field: reported after a pause, if it is whole. The address follows a moment later. */
function useTyped({ value, onChange }: FieldProps, isWhole: (text: string) => boolean = () => true) {
  const [text, setText] = useState(value);
  /** Reported, and not come back as the value yet. */
  const reported = useRef<string[]>([]);
  useEffect(() => {
    const at = reported.current.indexOf(value);
    reported.current = at < 0 ? [] : reported.current.slice(at + 1);
    // The field's own words must not overwrite it: a space at the end was trimmed from them, or more was typed since.
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

export function SearchFilter({ placeholder, ...field }: FieldProps & { placeholder?: string }) {
  const [text, setText] = useTyped(field);
  return (
    <TextInput
      size="md"
      type="search"
      label={field.label}
      placeholder={placeholder}
      value={text}
      // Codes and phone numbers are found in digits of any script.
      onChange={(event) => setText(rewriteInput(event.currentTarget, latinDigits))}
    />
  );
}

/** A year that is being typed begins with zeros. */
const hasWholeYear = (day: string) => !day.startsWith('0');

export function DayFilter(field: FieldProps) {
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
