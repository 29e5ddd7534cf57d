/** Tries different population sizes, on which successive sampling depends. */
import { type FormEvent, useEffect, useState } from 'react';
import { useStudy } from '../../../session/records.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { type ListFilters, useAddressParams } from '../../kit/list/address.ts';
import type { ESTIMATE_FILTERS } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

export type EstimateFilters = ListFilters<(typeof ESTIMATE_FILTERS)[number]>;

const NAMES = ['populationSizeLow', 'populationSize', 'populationSizeHigh'] as const;
type Sizes = Record<(typeof NAMES)[number], string>;

const WHOLE = /^[1-9]\d{0,9}$/;

export function PopulationSize({ filters }: { filters: EstimateFilters }) {
  const { t, number } = useResultsPageText();
  const study = useStudy();
  const isTrial = NAMES.some((name) => filters.values[name] !== '');
  const now = isTrial ? filters.values.populationSize : (study?.populationSize ?? null);
  const sizeText = now ? number(Number(now)) : null;
  return (
    <details className="more no-print" open={isTrial || undefined}>
      <summary>
        {sizeText === null ? t('size.none') : t(isTrial ? 'size.tried' : 'size.ofStudy', { shown: sizeText })}
      </summary>
      <p className="note">{t('size.what')}</p>
      <SizeForm filters={filters} />
    </details>
  );
}

function SizeForm({ filters }: { filters: EstimateFilters }) {
  const { t } = useResultsPageText();
  const { change } = useAddressParams();
  const { populationSizeLow, populationSize, populationSizeHigh } = filters.values;
  const [typed, setTyped] = useState<Sizes>(filters.values);
  useEffect(
    () => setTyped({ populationSizeLow, populationSize, populationSizeHigh }),
    [populationSizeLow, populationSize, populationSizeHigh],
  );
  const fault = faultOf(typed);
  const put = (sizes: Sizes) => change(Object.fromEntries(NAMES.map((name) => [name, sizes[name]])));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!fault) put(typed);
  };
  return (
    <form onSubmit={submit} className="dashboard-filters" noValidate>
      {NAMES.map((name) => (
        <NumberField
          key={name}
          size="md"
          label={t(`size.${name}`)}
          value={typed[name]}
          error={fault?.name === name ? t(`size.${fault.why}`) : undefined}
          onChange={(text) => setTyped({ ...typed, [name]: text })}
        />
      ))}
      <PlainButton label={t('size.try')} type="submit" size="md" disabled={fault !== null} />
    </form>
  );
}

function faultOf(typed: Sizes): { name: keyof Sizes; why: 'notANumber' | 'needed' | 'order' } | null {
  for (const name of NAMES) if (typed[name] && !WHOLE.test(typed[name])) return { name, why: 'notANumber' };
  const [low, size, high] = NAMES.map((name) => (typed[name] ? Number(typed[name]) : null));
  if ((low || high) && !size) return { name: 'populationSize', why: 'needed' };
  if (low && size && low > size) return { name: 'populationSizeLow', why: 'order' };
  return high && size && high < size ? { name: 'populationSizeHigh', why: 'order' } : null;
}
