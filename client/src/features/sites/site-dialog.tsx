/** A new site, or one to change. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { faultOf } from '../../ui/field-error.ts';
import type { Location } from '../../wire.ts';
import { SITE_TYPES } from './site-types.ts';

interface SiteDialogProps {
  site?: Location;
  onSaved(text: string): Promise<void>;
  onClose(): void;
}

/** As people write them, with a comma too. */
const number = (text: string) => Number(text.trim().replace(',', '.') || Number.NaN);

export function SiteDialog({ site, onSaved, onClose }: SiteDialogProps) {
  const { t } = useDeskText();
  const [draft, setDraft] = useState({
    name: site?.name ?? '',
    type: site?.type ?? ('SHELTER' as Location['type']),
    address: site?.address ?? '',
    latitude: site?.coordinates ? String(site.coordinates.latitude) : '',
    longitude: site?.coordinates ? String(site.coordinates.longitude) : '',
  });
  const [error, setError] = useState<unknown>(null);
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const half = (draft.latitude.trim() === '') !== (draft.longitude.trim() === '');
  const wrong = (text: string, most: number) =>
    text.trim() !== '' && !(Math.abs(number(text)) <= most) ? t('sites.degrees', { most }) : undefined;
  const faults = { latitude: wrong(draft.latitude, 90), longitude: wrong(draft.longitude, 180) };
  const save = async () => {
    setError(null);
    const body = {
      name: draft.name,
      type: draft.type,
      address: draft.address.trim() || null,
      coordinates: draft.latitude.trim()
        ? { latitude: number(draft.latitude), longitude: number(draft.longitude) }
        : null,
    };
    const saving = site
      ? request('PATCH', `/api/locations/${site.id}`, { body })
      : request('POST', '/api/locations', { body });
    await saving.catch((refused: unknown) => {
      setError(refused);
      throw refused;
    });
    await onSaved(t(site ? 'sites.changed' : 'sites.added', { name: draft.name }));
  };
  return (
    <Dialog
      title={site ? t('sites.change') : t('sites.add')}
      yes={t('common.save')}
      disabled={half || Boolean(faults.latitude ?? faults.longitude)}
      onYes={save}
      onClose={onClose}
    >
      <TextInput
        label={t('common.name')}
        required
        data-autofocus
        error={faultOf(error, 'name')}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NativeSelect
        mt="md"
        label={t('common.type')}
        value={draft.type}
        onChange={(event) => set({ type: event.currentTarget.value as Location['type'] })}
        data={SITE_TYPES.map((value) => ({ value, label: t(`sites.types.${value}`) }))}
      />
      <TextInput
        mt="md"
        label={t('common.address')}
        description={t('sites.addressWhat')}
        error={faultOf(error, 'address')}
        value={draft.address}
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <div className="desk-pair">
        <TextInput
          label={t('sites.latitude')}
          placeholder="47.6062"
          inputMode="text"
          error={faults.latitude ?? faultOf(error, 'coordinates.latitude')}
          value={draft.latitude}
          onChange={(event) => set({ latitude: event.currentTarget.value })}
        />
        <TextInput
          label={t('sites.longitude')}
          placeholder="-122.3321"
          inputMode="text"
          error={faults.longitude ?? faultOf(error, 'coordinates.longitude')}
          value={draft.longitude}
          onChange={(event) => set({ longitude: event.currentTarget.value })}
        />
      </div>
    </Dialog>
  );
}
