/** Creates or changes a site. */
import { useState } from 'react';
import { LocationPatch } from '../../../../src/study/locations/schema.ts';
import { pickChangedFields } from '../../device/edits.ts';
import type { Location } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { type FormField, FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

/** Out-of-range coordinates get an error message in degrees instead. */
const ANY_NUMBER = { decimals: Number.POSITIVE_INFINITY, min: Number.NEGATIVE_INFINITY };

interface SiteDialogProps {
  site?: Location;
  onClose(): void;
}

type Translate = ReturnType<typeof useDashboardText>['t'];

/** The fields of every site. */
export const siteFields = <T extends Pick<Location, 'name' | 'type' | 'address'>>(
  t: Translate,
): FormField<T>[] => [
  { name: 'name', attributes: { required: true, 'data-autofocus': true } },
  { name: 'type', options: (one) => t(`sites.types.${one as Location['type']}`) },
  { name: 'address', description: t('sites.addressWhat') },
];

const textsOf = (site: Location | undefined) => ({
  name: site?.name ?? '',
  type: site?.type ?? 'SHELTER',
  address: site?.address ?? '',
  latitude: site?.coordinates ? String(site.coordinates.latitude) : '',
  longitude: site?.coordinates ? String(site.coordinates.longitude) : '',
});

export function SiteDialog({ site, onClose }: SiteDialogProps) {
  const { t } = useDashboardText();
  const toast = useToast();
  const [value, setValue] = useState(() => textsOf(site));
  /**
   * The site as first shown: changes are relative to it, so that someone else's change of another field isn't undone.
   */
  const [before] = useState(site);
  const { name, type, address, latitude, longitude } = value;
  const half = (latitude.trim() === '') !== (longitude.trim() === '');
  const wrong = (text: string, max: number) =>
    text.trim() !== '' && !(Math.abs(Number(text)) <= max) ? t('sites.degrees', { most: max }) : undefined;
  const faults = [wrong(latitude, 90), wrong(longitude, 180)];
  const save = async () => {
    const coordinates = latitude.trim() ? { latitude: Number(latitude), longitude: Number(longitude) } : null;
    const body = { name, type, address: address?.trim() || null, coordinates };
    const changes = before ? pickChangedFields<typeof body>(body, before) : body;
    if (!before) await sendChange('POST', '/api/locations', body);
    else if (Object.keys(changes).length > 0)
      await sendChange('PATCH', `/api/locations/${before.id}`, changes);
    toast(t(site ? 'sites.changed' : 'sites.added', { name }));
  };
  return (
    <Dialog
      title={site ? t('sites.change') : t('sites.add')}
      yes={t('common.save')}
      disabled={half || faults.some(Boolean)}
      onYes={save}
      onClose={onClose}
    >
      <FormFields
        form={{ value, set: (change) => setValue({ ...value, ...change }) }}
        schema={LocationPatch}
        rows={[
          ...siteFields<typeof value>(t),
          [
            {
              name: 'latitude',
              label: t('sites.latitude'),
              path: 'coordinates.latitude',
              fault: faults[0],
              as: 'number',
              attributes: { ...ANY_NUMBER, placeholder: '47.6062' },
            },
            {
              name: 'longitude',
              label: t('sites.longitude'),
              path: 'coordinates.longitude',
              fault: faults[1],
              as: 'number',
              attributes: { ...ANY_NUMBER, placeholder: '-122.3321' },
            },
          ],
        ]}
      />
    </Dialog>
  );
}
