/** Second step of the setup wizard: the sites. Mistakes can be corrected or removed. */

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LocationPatch } from '../../../../src/study/locations/schema.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf, Location } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormErrorContext, FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { SiteDialog, siteFields } from '../sites/site-dialog.tsx';

const NEW_SITE: Pick<Location, 'name' | 'type' | 'address'> = { name: '', type: 'SHELTER', address: null };

export function FirstSites({ onNext }: { onNext(): void }) {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('first-run');
  const sites = useGet<ListOf<Location>>('/api/locations').data?.data ?? [];
  const [draft, setDraft] = useState(NEW_SITE);
  const hasName = draft.name.trim() !== '';
  const isEmpty = sites.length === 0 && !hasName;
  const add = async () => {
    await sendChange('POST', '/api/locations', { ...draft, address: draft.address?.trim() || null });
    setDraft({ ...NEW_SITE, type: draft.type });
  };
  const adding = useSubmit(add);
  // Also adds the site whose name was typed but not added yet.
  const next = useSubmit(async () => {
    if (hasName) await add();
    onNext();
  });
  const error = adding.error ?? next.error;
  const set = (change: Partial<typeof NEW_SITE>) => {
    setDraft({ ...draft, ...change });
    adding.clear();
    next.clear();
  };
  return (
    <>
      <Card>
        {sites.length > 0 ? <Sites sites={sites} /> : <Text c="dimmed">{t('sites.none')}</Text>}
        <form onSubmit={adding.submit} noValidate>
          <FormErrorContext value={error}>
            <FormFields form={{ value: draft, set }} schema={LocationPatch} size="md" rows={siteFields(t)} />
          </FormErrorContext>
          <FormError error={error} />
          <Button type="submit" variant="default" mt="md" loading={adding.busy} disabled={!hasName}>
            {t('sites.add')}
          </Button>
        </form>
      </Card>
      {sites.length > 0 && sites.every(({ address }) => !address) ? (
        <Notice tone="warn" title={own('noAddress')}>
          {own('noAddressWhat')}
        </Notice>
      ) : null}
      {isEmpty ? (
        <Text c="dimmed" id="first-site-needed">
          {own('siteNeeded')}
        </Text>
      ) : null}
      <Button
        size="xl"
        disabled={isEmpty}
        loading={next.busy}
        aria-describedby={isEmpty ? 'first-site-needed' : undefined}
        onClick={() => next.submit()}
      >
        {hasName ? own('addAndNext', { name: draft.name.trim() }) : t('common.next')}
      </Button>
    </>
  );
}

function Sites({ sites }: { sites: Location[] }) {
  const { t } = useDashboardText();
  const [changing, setChanging] = useState<Location | null>(null);
  const [removing, setRemoving] = useState<Location | null>(null);
  return (
    <>
      <ul className="rows" aria-label={t('sites.title')}>
        {sites.map((site) => (
          <li key={site.id}>
            <span style={{ flex: 1 }}>
              <b>{site.name}</b>, {t(`sites.types.${site.type}`)}
              <Text size="sm" c="dimmed">
                {site.address}
              </Text>
            </span>
            <PlainButton
              label={t('common.change')}
              recordName={site.name}
              onClick={() => setChanging(site)}
            />
            <button
              type="button"
              className="icon-button"
              aria-label={t('sites.remove', { name: site.name })}
              onClick={() => setRemoving(site)}
            >
              <Icon name="trash" size={20} />
            </button>
          </li>
        ))}
      </ul>
      {changing ? <SiteDialog site={changing} onClose={() => setChanging(null)} /> : null}
      {removing ? (
        <Dialog
          danger
          title={t('sites.removeTitle', { name: removing.name })}
          text={t('sites.retireWhat')}
          yes={t('sites.removeYes')}
          onYes={() => sendChange('DELETE', `/api/locations/${removing.id}`)}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </>
  );
}
