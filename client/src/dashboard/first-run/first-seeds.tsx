/** Third step of the setup wizard: the first seeds, to print or write down. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BatchCreate } from '../../../../src/coupons/referral-codes/schema.ts';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { request } from '../../session/api.ts';
import { chooseSite, useLocations } from '../../session/records.ts';
import { useSession, useUser } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { FormErrorContext, FormFields } from '../kit/actions/fields.tsx';
import { refreshAfterChange } from '../kit/actions/send.ts';
import { PublicAddressWarning } from '../kit/buttons/public-address.tsx';
import type { Seed } from '../kit/data/dashboard-wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { PrintDialog, type PrintJob } from '../referral-codes/print-dialog.tsx';

const MAX_SEEDS = 50;

export function FirstSeeds({ onNext }: { onNext(): void }) {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('first-run');
  const user = useUser();
  const current = useSession()?.currentLocation ?? null;
  const sites = useLocations();
  const [value, setValue] = useState({ location: '', count: 5 as number | string });
  const { count } = value;
  const location = value.location || (sites[0]?.id ?? '');
  const set = (change: Partial<typeof value>) => setValue((before) => ({ ...before, ...change }));
  const [seeds, setSeeds] = useState<Seed[]>([]);
  const [job, setJob] = useState<PrintJob | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    for (let remaining = Number(count); remaining > 0; remaining -= 1) {
      const seed = await request<Seed>('POST', '/api/seeds', { body: { location } });
      setSeeds((before) => [...before, seed]);
      set({ count: remaining - 1 });
    }
    await chooseSite(user.id, location, current);
    refreshAfterChange('/api/seeds');
  });
  const print = () =>
    setJob({
      path: '/api/seeds/print',
      body: { seeds: seeds.map(({ id }) => id) },
      file: 'seeds.pdf',
      layout: 'page',
      text: t('seeds.made', { count: seeds.length }),
    });
  return (
    <>
      <Card>
        <form onSubmit={submit} noValidate>
          <FormErrorContext value={error}>
            <FormFields
              form={{ value: { location, count }, set }}
              schema={BatchCreate}
              rows={[
                { name: 'location', as: 'site' },
                { name: 'count', label: t('seeds.count'), attributes: { min: 0, max: MAX_SEEDS } },
              ]}
            />
          </FormErrorContext>
          <FormError error={error} />
          <Button
            type="submit"
            variant={seeds.length > 0 ? 'default' : 'filled'}
            mt="md"
            loading={busy}
            disabled={!location || !(Number(count) > 0 && Number(count) <= MAX_SEEDS)}
          >
            {t('seeds.makeGo')}
          </Button>
        </form>
      </Card>
      {seeds.length > 0 ? <PublicAddressWarning /> : null}
      {seeds.length > 0 ? (
        <Notice tone="good" live title={own('seedsMade', { count: seeds.length })}>
          <ul className="flow dashboard-codes">
            {seeds.map(
              ({ id, referralCode }) =>
                referralCode && (
                  <li key={id}>
                    <CodeText code={referralCode} />
                  </li>
                ),
            )}
          </ul>
          <Button variant="default" mt="sm" onClick={print}>
            {t('common.print')}
          </Button>
        </Notice>
      ) : null}
      <Button size="xl" variant={seeds.length > 0 ? 'filled' : 'default'} onClick={onNext}>
        {seeds.length > 0 ? t('common.next') : own('later')}
      </Button>
      {job ? <PrintDialog job={job} onClose={() => setJob(null)} /> : null}
    </>
  );
}
