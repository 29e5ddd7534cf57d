/** The second step of the first run: where interviews are held. What was mistyped can be changed or taken away. */

import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { refreshDesk, useGet } from '../../desk/use-list.tsx';
import { keys } from '../../query-keys.ts';
import { queriesNow } from '../../records.ts';
import { faultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf, Location } from '../../wire.ts';
import { SiteDialog } from '../sites/site-dialog.tsx';
import { SITE_TYPES } from '../sites/site-types.ts';

const NEW = { name: '', type: 'SHELTER' as Location['type'], address: '' };

const sitesChanged = () =>
  Promise.all([refreshDesk(), queriesNow().invalidateQueries({ queryKey: keys.locations })]);

export function FirstSites({ onNext }: { onNext(): void }) {
  const { t } = useDeskText();
  const { t: own } = useTranslation('first-run');
  const sites = useGet<ListOf<Location>>('/api/locations').data?.data ?? [];
  const [draft, setDraft] = useState(NEW);
  const typed = draft.name.trim() !== '';
  const add = async () => {
    const { address, ...site } = draft;
    const body = { ...site, ...(address.trim() ? { address: address.trim() } : {}) };
    await request('POST', '/api/locations', { body });
    setDraft({ ...NEW, type: draft.type });
    await sitesChanged();
  };
  const adding = useSubmit(add);
  // What was typed is not left behind.
  const next = useSubmit(async () => {
    if (typed) await add();
    onNext();
  });
  const error = adding.error ?? next.error;
  const set = (change: Partial<typeof NEW>) => {
    setDraft({ ...draft, ...change });
    adding.clear();
    next.clear();
  };
  return (
    <>
      <Card>
        {sites.length > 0 ? <Sites sites={sites} /> : <Text c="dimmed">{t('sites.none')}</Text>}
        <form onSubmit={adding.submit} noValidate className="desk-first-site">
          <TextInput
            size="md"
            label={t('common.name')}
            required
            error={faultOf(error, 'name')}
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <NativeSelect
            size="md"
            label={t('common.type')}
            value={draft.type}
            onChange={(event) => set({ type: event.currentTarget.value as Location['type'] })}
            data={SITE_TYPES.map((value) => ({ value, label: t(`sites.types.${value}`) }))}
          />
          <TextInput
            size="md"
            className="desk-whole"
            label={t('common.address')}
            description={t('sites.addressWhat')}
            error={faultOf(error, 'address')}
            value={draft.address}
            onChange={(event) => set({ address: event.currentTarget.value })}
          />
          <div className="desk-whole">
            <FormError error={error} />
            <Button type="submit" variant="default" loading={adding.busy} disabled={!typed}>
              {t('sites.add')}
            </Button>
          </div>
        </form>
      </Card>
      {sites.length > 0 && sites.every(({ address }) => !address) ? (
        <Notice tone="warn" title={own('noAddress')}>
          {own('noAddressWhat')}
        </Notice>
      ) : null}
      {sites.length === 0 && !typed ? (
        <Text c="dimmed" id="first-site-needed">
          {own('siteNeeded')}
        </Text>
      ) : null}
      <Button
        size="xl"
        disabled={sites.length === 0 && !typed}
        loading={next.busy}
        aria-describedby={sites.length === 0 && !typed ? 'first-site-needed' : undefined}
        onClick={() => next.submit()}
      >
        {typed ? own('addAndNext', { name: draft.name.trim() }) : t('common.next')}
      </Button>
    </>
  );
}

function Sites({ sites }: { sites: Location[] }) {
  const { t } = useDeskText();
  const [changing, setChanging] = useState<Location | null>(null);
  const [removing, setRemoving] = useState<Location | null>(null);
  return (
    <>
      <ul className="desk-plain" aria-label={t('sites.title')}>
        {sites.map((site) => (
          <li key={site.id}>
            <span style={{ flex: 1 }}>
              <b>{site.name}</b>, {t(`sites.types.${site.type}`)}
              {site.address ? (
                <Text size="sm" c="dimmed">
                  {site.address}
                </Text>
              ) : null}
            </span>
            <Button
              variant="default"
              size="sm"
              aria-label={`${t('common.change')}: ${site.name}`}
              onClick={() => setChanging(site)}
            >
              {t('common.change')}
            </Button>
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
      {changing ? (
        <SiteDialog
          site={changing}
          onSaved={async () => void (await sitesChanged())}
          onClose={() => setChanging(null)}
        />
      ) : null}
      {removing ? (
        <Dialog
          danger
          title={t('sites.removeTitle', { name: removing.name })}
          text={t('sites.retireWhat')}
          yes={t('sites.removeYes')}
          onYes={async () => {
            await request('DELETE', `/api/locations/${removing.id}`);
            await sitesChanged();
          }}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </>
  );
}
