/** A list's filters, as declared by its page. */
import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { SelectField } from '../../../ui/choice.tsx';
import type { Location } from '../../../wire.ts';
import { PlainButton } from '../buttons/dashboard-button.tsx';
import { ALL_ROUNDS, useListRound } from '../data/rounds.ts';
import { useDashboardText, useValueLabels, type ValueLabelKey } from '../words/dashboard-text.ts';
import { type ListFilters, useFilters } from './address.ts';
import {
  ChoiceFilter,
  DayFilter,
  type FilterFieldProps,
  SearchFilter,
  type SelectOption,
  SiteFilter,
} from './filter-fields.tsx';
import { useRoundOptions } from './round-options.ts';

interface FilterBarProps {
  filters: Pick<ListFilters<string>, 'any' | 'clear'>;
  children: ReactNode;
}

export function FilterBar({ filters, children }: FilterBarProps) {
  const { t } = useDashboardText();
  return (
    <search className="dashboard-filters" aria-label={t('common.filters')}>
      {children}
      {filters.any ? (
        <PlainButton label={t('common.clear')} variant="subtle" size="md" onClick={filters.clear} />
      ) : null}
    </search>
  );
}

/** One declared filter. */
export interface FilterDeclaration {
  /** Parameter name in the service's query and in the URL. */
  name: string;
  /** Default: a select field. `link` is set only by links and has no field. */
  as?: 'search' | 'site' | 'round' | 'day' | 'segments' | 'link';
  label?: string;
  /** The options: all values with these labels, or only `values`; or the page's own options. */
  words?: ValueLabelKey;
  values?: readonly string[];
  options?: SelectOption[] | ((rows: readonly never[]) => SelectOption[]);
  /** Only these sites, if not all can match. */
  sites?: Location[];
  /** What can be searched for. */
  hint?: string;
  /** For the round: all rounds unless one is selected. */
  everyRound?: true;
}

/** A search or a link may match records of any round. */
const goesAcrossRounds = (declared: readonly FilterDeclaration[], values: Record<string, string>): boolean =>
  declared.some(
    ({ name, as, everyRound }) => everyRound || ((as === 'search' || as === 'link') && values[name]),
  );

/** One segment is always on, the first by default: segments switch between lists rather than narrowing one. */
export function useListFilters(
  declared: readonly FilterDeclaration[],
): ListFilters<string> & { isReady: boolean } {
  const filters = useFieldFilters(declared);
  const enabled = declared.some(({ as }) => as === 'round');
  const everyRound = goesAcrossRounds(declared, filters.values);
  const round = useListRound({ enabled, everyRound });
  if (!enabled) return { ...filters, isReady: true };
  return { ...filters, values: { ...filters.values, round: round.requested }, isReady: round.isKnown };
}

function useFieldFilters(declared: readonly FilterDeclaration[]): ListFilters<string> {
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
  declared: readonly FilterDeclaration[];
  filters: ListFilters<string>;
  listing: { rows: readonly unknown[] | undefined };
}

export function FilterFields({ declared, filters, listing }: FilterFieldsProps) {
  const { t } = useDashboardText();
  const wordsOf = useValueLabels();
  return declared.map((filter) => {
    const { name, as, words, sites, hint } = filter;
    const field = {
      label: filter.label ?? t(`audit.field.${name as 'name'}`),
      value: filters.values[name] ?? '',
      onChange: (value: string) => filters.set(name, value),
    };
    const labels: Record<string, string> = words ? wordsOf(words) : {};
    const { values = Object.keys(labels), options: own } = filter;
    const options =
      typeof own === 'function'
        ? own((listing.rows ?? []) as never[])
        : (own ?? values.map((value) => ({ value, label: labels[value] ?? value })));
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

function Segments({ label, value, onChange, options }: FilterFieldProps & { options: SelectOption[] }) {
  return (
    <SegmentedControl
      size="md"
      fullWidth
      className="dashboard-filter-wide"
      aria-label={label}
      value={value}
      onChange={(next) => onChange(next === options[0]?.value ? '' : next)}
      data={options}
    />
  );
}

function RoundFilter({
  label,
  onChange,
  everyRound,
}: Omit<FilterFieldProps, 'value'> & { everyRound: boolean }) {
  const { t } = useDashboardText();
  const options = useRoundOptions();
  const { value } = useListRound({ enabled: true, everyRound });
  if (options.length < 2) return null;
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      options={[...options, { value: ALL_ROUNDS, label: t('rounds.all') }]}
    />
  );
}
