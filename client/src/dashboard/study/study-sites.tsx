/** How many people belong to each site, for estimates that are standardized to sites. */
import { Button } from '@mantine/core';
import { SiteSize } from '../../../../src/study/settings/schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { Fields, type FormState } from '../kit/acts/fields.tsx';
import { DeskButton } from '../kit/buttons/desk-button.tsx';
import { useDeskText } from '../kit/words/desk-text.ts';
import type { Settings } from './setting-labels.ts';

type Size = Settings['siteSizes'][number];

const NEW: Size = { location: '', size: 1, source: '' };

export function StudySites({ value: { siteSizes, siteQuestion }, set }: FormState<Settings>) {
  const { t } = useDeskText();
  const change = (at: number, next: Partial<Size>) =>
    set({ siteSizes: siteSizes.with(at, { ...(siteSizes[at] ?? NEW), ...next }) });
  return (
    <Card heading={t('study.fields.siteSizes')}>
      <p className="note">{t('study.what.siteSizes')}</p>
      {siteSizes.map((one, at) => {
        const path = (name: string) => `siteSizes.${at}.${name}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the site is being chosen
          <fieldset key={at} className="desk-outcome">
            <Fields<Size>
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
      <DeskButton
        label={t('study.siteSize.add')}
        mt="md"
        size="md"
        onClick={() => set({ siteSizes: [...siteSizes, NEW] })}
      />
    </Card>
  );
}
