/** Where the interview takes place: the interviewer's site and, optionally, the phone's position. */
import { Box, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseSite, useChosenSiteId, useLocations } from '../../session/records.ts';
import { useMayCreate, useSession, useUser } from '../../session/session.tsx';
import { numberInLanguage } from '../../texts/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Coordinates } from '../../wire.ts';

export interface PickedSite {
  site: string | null;
  coordinates: Coordinates | null;
}

export function SitePicker({ onChange }: { onChange(choice: PickedSite): void }) {
  const { t } = useTranslation();
  const user = useUser();
  const current = useSession()?.currentLocation ?? null;
  const may = useMayCreate('Survey');
  const currentSite = useChosenSiteId(user.id, current);
  const all = useLocations();
  const open = all.filter(({ id }) => may(id));
  const site = open.some(({ id }) => id === currentSite) ? currentSite : null;
  const [coordinates, setCoordinates] = useState<Coordinates | null>(null);
  useEffect(() => onChange({ site, coordinates }), [site, coordinates, onChange]);
  if (all.length > 0 && open.length === 0) return <Notice tone="warn" title={t('site.none')} />;
  return (
    <div>
      {site ? null : (
        <Box mb="sm">
          <Notice tone="info" icon="pin" title={t('newcomer.siteFirst')}>
            {t('newcomer.siteFirstWhat')}
          </Notice>
        </Box>
      )}
      <NativeSelect
        label={t('site.label')}
        leftSection={<Icon name="pin" />}
        value={site ?? ''}
        onChange={(event) => void chooseSite(user.id, event.currentTarget.value, current)}
        data={[
          ...(site ? [] : [{ value: '', label: t('site.placeholder') }]),
          ...open.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Position value={coordinates} onChange={setCoordinates} />
    </div>
  );
}

type Finding = 'idle' | 'looking' | 'refused' | 'not-found';

function Position({
  value,
  onChange,
}: {
  value: Coordinates | null;
  onChange(value: Coordinates | null): void;
}) {
  const { t, i18n } = useTranslation();
  const [state, setState] = useState<Finding>('idle');
  if (!('geolocation' in navigator) || !isSecureContext) return null;
  const find = () => {
    setState('looking');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => {
        setState('idle');
        onChange({ latitude, longitude, accuracy });
      },
      ({ code }) => setState(code === 1 ? 'refused' : 'not-found'),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 },
    );
  };
  if (value) {
    return (
      <Group justify="space-between" mt="xs" wrap="nowrap" role="status">
        <Text size="sm">
          {t('gps.found', { meters: numberInLanguage(Math.round(value.accuracy ?? 0), i18n.language) })}
        </Text>
        <Button variant="subtle" size="md" onClick={() => onChange(null)}>
          {t('gps.remove')}
        </Button>
      </Group>
    );
  }
  return (
    <>
      <Button variant="subtle" size="md" px="xs" mt={4} loading={state === 'looking'} onClick={find}>
        {t('gps.add')}
      </Button>
      <div role="status">
        {state === 'refused' || state === 'not-found' ? <Text size="sm">{t(`gps.${state}`)}</Text> : null}
      </div>
    </>
  );
}
