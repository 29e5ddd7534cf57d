/** Filters stored in the address: a link shows the same list, and "back" undoes a filter. */
import { NativeSelect, type NativeSelectProps, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { latinDigits } from '../../../../../src/platform/lib/text/latin-digits.ts';
import { valuesIn } from '../../../session/api.ts';
import { useLocations } from '../../../session/records.ts';
import { rewriteInput } from '../../../ui/rewrite-input.ts';
import type { Location } from '../../../wire.ts';
import { DeskButton } from '../buttons/desk-button.tsx';
import { ALL_ROUNDS, useListRound } from '../data/rounds.ts';
import { useDeskText, useWordsOf, type WordsOf } from '../words/desk-text.ts';
import { useRoundOptions } from './round-options.ts';

const TYPING_MS = 300;

export interface Filters<Name extends string> {
  values: Record<Name, string>;
  /** An empty text takes the filter away. The list begins anew. */
  set(name: Name, value: string): void;
  clear(): void;
  /** Something is filtered. */
  any: boolean;
  cursor: string | undefined;
}

/** What the address says after its path. `change` replaces it; an empty text takes a name away. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const change = (values: Record<string, string>) => {
    // What was typed a moment before leaving does not lead back here, while the next page is on its way.
    if (window.location.pathname !== pathname) return;
    // Of the address itself: two values may be set before the page has followed the first.
    const after = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) after.set(name, value);
      else after.delete(name);
    }
    setParams(after, { replace: true });
  };
  return { params, change };
}

export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const { params, change } = useAddress();
  const values = valuesIn(params, names);
  return {
    values,
    set: (name, value) => change({ cursor: '', [name]: value }),
    clear: () => change(Object.fromEntries(['cursor', ...names].map((name) => [name, '']))),
    any: names.some((name) => values[name] !== ''),
    cursor: params.get('cursor') ?? undefined,
  };
}

/** Pages by cursor: the ones before are kept with the entry of the browser's history. */
export function usePaging(nextCursor: string | null) {
  const navigate = useNavigate();
  const here = useLocation();
  const [params] = useSearchParams();
  const now = params.get('cursor');
  const before = (here.state as { before?: (string | null)[] } | null)?.before ?? [];
  const go = (cursor: string | null, trail: (string | null)[], replace = false) => {
    const after = new URLSearchParams(params);
    if (cursor) after.set('cursor', cursor);
    else after.delete('cursor');
    void navigate(
      { search: after.toString() },
      { replace, state: { ...(replace && here.state), before: trail } },
    );
  };
  return {
    next: nextCursor ? () => go(nextCursor, [...before, now]) : null,
    // A link into the middle of a list knows no page before: it leads to the first.
    previous: now
      ? ({ replace = false } = {}) => go(before.at(-1) ?? null, before.slice(0, -1), replace)
      : null,
    page: before.length + 1,
    known: !now || before.length > 0,
  };
}

interface FilterBarProps {
  filters: Pick<Filters<string>, 'any' | 'clear'>;
  children: ReactNode;
}

export function FilterBar({ filters, children }: FilterBarProps) {
  const { t } = useDeskText();
  return (
    <search className="desk-filters" aria-label={t('common.filters')}>
      {children}
      {filters.any ? (
        <DeskButton label={t('common.clear')} variant="subtle" size="md" onClick={filters.clear} />
      ) : null}
    </search>
  );
}

type Option = { value: string; label: string };

/** One way to narrow a list, as its page declares it. */
export interface Filter {
  /** As the service's query and the address have it. */
  name: string;
  /** A choice where it is nothing else. `link`: set by links alone, and not drawn. */
  as?: 'search' | 'site' | 'round' | 'day' | 'segments' | 'link';
  label?: string;
  /** What is chosen from: words of the texts, all of them or these values; or options of the page's own. */
  words?: WordsOf;
  values?: readonly string[];
  options?: Option[] | ((rows: readonly never[]) => Option[]);
  /** Of sites, where not all can match. */
  sites?: Location[];
  /** What can be searched for. */
  hint?: string;
  /** Of the round: all of them, unless one is chosen. */
  everyRound?: true;
}

/** What is searched for, or linked to, may be in any round. */
const goesAcrossRounds = (declared: readonly Filter[], values: Record<string, string>): boolean =>
  declared.some(
    ({ name, as, everyRound }) => everyRound || ((as === 'search' || as === 'link') && values[name]),
  );

/** Of segments one is always on, the first by itself: they are another list rather than a part of it. */
export function useListFilters(declared: readonly Filter[]): Filters<string> & { isReady: boolean } {
  const filters = useFieldFilters(declared);
  const open = declared.some(({ as }) => as === 'round');
  const everyRound = goesAcrossRounds(declared, filters.values);
  const round = useListRound({ open, everyRound });
  if (!open) return { ...filters, isReady: true };
  return { ...filters, values: { ...filters.values, round: round.requested }, isReady: round.isKnown };
}

function useFieldFilters(declared: readonly Filter[]): Filters<string> {
  const segments = declared.find(({ as }) => as === 'segments');
  const filters = useFilters(declared.filter((one) => one !== segments).map(({ name }) => name));
  const { name = '', values: [first = '', ...others] = [] } = segments ?? {};
  const selectedSite = useFilters([name]).values[name] ?? '';
  if (!segments) return filters;
  return {
    ...filters,
    values: { ...filters.values, [name]: others.includes(selectedSite) ? selectedSite : first },
  };
}

interface FilterFieldsProps {
  declared: readonly Filter[];
  filters: Filters<string>;
  listing: { rows: readonly unknown[] | undefined };
}

export function FilterFields({ declared, filters, listing }: FilterFieldsProps) {
  const { t } = useDeskText();
  const wordsOf = useWordsOf();
  return declared.map((filter) => {
    const { name, as, words, sites, hint } = filter;
    const field = {
      label: filter.label ?? t(`audit.field.${name as 'name'}`),
      value: filters.values[name] ?? '',
      onChange: (value: string) => filters.set(name, value),
    };
    const named: Record<string, string> = words ? wordsOf(words) : {};
    const { values = Object.keys(named), options: own } = filter;
    const options =
      typeof own === 'function'
        ? own((listing.rows ?? []) as never[])
        : (own ?? values.map((value) => ({ value, label: named[value] ?? value })));
    switch (as) {
      case 'link':
        return null;
      case 'search':
        return <SearchFilter key={name} {...field} placeholder={hint} />;
      case 'round':
        return <RoundFilter key={name} {...field} everyRound={goesAcrossRounds(declared, filters.values)} />;
      case 'site':
        return <SiteFilter key={name} {...field} label={filter.label} sites={sites} />;
      case 'day':
        return <DayFilter key={name} {...field} />;
      case 'segments':
        return <Segments key={name} {...field} options={options} />;
      default:
        return <ChoiceFilter key={name} {...field} options={options} />;
    }
  });
}

interface FieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

function Segments({ label, value, onChange, options }: FieldProps & { options: Option[] }) {
  return (
    <SegmentedControl
      size="md"
      fullWidth
      className="desk-filter-wide"
      aria-label={label}
      value={value}
      onChange={(next) => onChange(next === options[0]?.value ? '' : next)}
      data={options}
    />
  );
}

interface SelectProps
  extends Pick<NativeSelectProps, 'label' | 'aria-label' | 'className' | 'value' | 'data'> {
  onChange(value: string): void;
}

export const Select = ({ onChange, ...props }: SelectProps) => (
  <NativeSelect size="md" {...props} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
);

interface ChoiceFilterProps extends FieldProps {
  options: Option[];
  /** What the choice of none is called. */
  all?: string;
}

export function ChoiceFilter({ label, value, onChange, options, all }: ChoiceFilterProps) {
  const { t } = useDeskText();
  const isOption = value === '' || options.some((option) => option.value === value);
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      data={[
        { value: '', label: all ?? t('common.all') },
        ...options,
        ...(isOption ? [] : [{ value, label: '–' }]),
      ]}
    />
  );
}

function RoundFilter({ label, onChange, everyRound }: Omit<FieldProps, 'value'> & { everyRound: boolean }) {
  const { t } = useDeskText();
  const options = useRoundOptions();
  const { value } = useListRound({ open: true, everyRound });
  if (options.length < 2) return null;
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      data={[...options, { value: ALL_ROUNDS, label: t('rounds.all') }]}
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
    <Select
      aria-label={t('common.site')}
      value={value}
      onChange={onChange}
      data={[{ value: '', label: t('common.allSites') }, ...options]}
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
