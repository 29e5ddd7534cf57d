/** How many people belong to each site, for estimates standardized by site. */
import { Button } from '@mantine/core';
import type { z } from 'zod';
import type { CountEstimate, KnownCount as CountSchema } from '../../../../src/statistics/counts/schema.ts';
import { SiteSize } from '../../../../src/study/settings/schema.ts';
import { request } from '../../session/api.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf } from '../../wire.ts';
import { FormFields, type FormState } from '../kit/actions/fields.tsx';
import { useToast } from '../kit/actions/use-actions.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useRounds } from '../kit/data/rounds.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import type { StudySettings } from './setting-labels.ts';

const COUNTS_PATH = '/api/analysis/counts';

type Count = z.infer<typeof CountSchema>;
type Size = StudySettings['siteSizes'][number];

const NEW_SIZE: Size = { location: '', size: 1, source: '' };

export function SiteSizesForm({ value: { siteSizes, siteQuestion }, set }: FormState<StudySettings>) {
  const { t } = useDashboardText();
  const change = (at: number, next: Partial<Size>) =>
    set({ siteSizes: siteSizes.with(at, { ...(siteSizes[at] ?? NEW_SIZE), ...next }) });
  return (
    <Card heading={t('study.fields.siteSizes')}>
      <p className="note">{t('study.what.siteSizes')}</p>
      {siteSizes.map((one, at) => {
        const path = (name: string) => `siteSizes.${at}.${name}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the site is still being selected
          <fieldset key={at} className="dashboard-outcome">
            <FormFields<Size>
              form={{ value: one, set: (next) => change(at, next) }}
              schema={SiteSize}
              size="md"
              rows={[
                {
                  name: 'location',
                  path: path('location'),
                  label: t('study.siteSize.location'),
                  ...(siteQuestion ? {} : { as: 'site' as const }),
                },
                { name: 'size', path: path('size'), label: t('study.siteSize.size') },
                [
                  { name: 'low', path: path('low'), label: t('study.siteSize.low') },
                  { name: 'high', path: path('high'), label: t('study.siteSize.high') },
                ],
                { name: 'source', path: path('source'), label: t('study.siteSize.source') },
              ]}
            />
            <Button
              mt="sm"
              variant="subtle"
              color="red"
              size="md"
              leftSection={<Icon name="trash" size={20} />}
              onClick={() => set({ siteSizes: siteSizes.toSpliced(at, 1) })}
            >
              {t('study.siteSize.remove', { number: at + 1 })}
            </Button>
          </fieldset>
        );
      })}
      <PlainButton
        label={t('study.siteSize.add')}
        mt="md"
        size="md"
        onClick={() => set({ siteSizes: [...siteSizes, NEW_SIZE] })}
      />
      {siteQuestion ? null : (
        <SizesFromCounts
          onSizes={(sizes) => {
            const others = siteSizes.filter(
              (one) => !sizes.some(({ location }) => location === one.location),
            );
            set({ siteSizes: [...others, ...sizes] });
          }}
        />
      )}
    </Card>
  );
}

/** Takes the sizes from the latest population size estimate of each site in this round. */
function SizesFromCounts({ onSizes }: { onSizes(sizes: Size[]): void }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const round = useRounds().current?.id;
  const { submit, busy, error } = useSubmit(async () => {
    const counts = await request<ListOf<Count>>('GET', `${COUNTS_PATH}?limit=200`);
    const latest = new Map<string, Count>();
    for (const count of counts.data)
      if (count.location && count.round === round && !latest.has(count.location))
        latest.set(count.location, count);
    const sizes: Size[] = [];
    for (const [location, { id, name, asOf }] of latest) {
      const { total } = await request<CountEstimate>('GET', `${COUNTS_PATH}/${id}/estimate`);
      if (total) sizes.push({ location, ...wholeOf(total), source: `${name}, ${asOf}` });
    }
    if (sizes.length === 0) toast({ text: t('study.siteSize.noCounts'), bad: true });
    else onSizes(sizes);
  });
  return (
    <>
      <PlainButton
        label={t('study.siteSize.fromCounts')}
        variant="default"
        mt="md"
        size="md"
        loading={busy}
        onClick={() => submit()}
      />
      <FormError error={error} />
    </>
  );
}

function wholeOf({ estimate, low, high }: NonNullable<CountEstimate['total']>) {
  return {
    size: Math.round(estimate),
    ...(low !== null && { low: Math.round(low) }),
    ...(high !== null && { high: Math.round(high) }),
  };
}
