/** Some new seeds at one site. Each is made by itself; where one fails, those before it stay and the rest can be tried again. */
import { NumberInput, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { request } from '../../api.ts';
import { as, useAbility, useSession } from '../../session.tsx';
import { Ask } from './ask.tsx';
import { useDeskText } from './desk-text.ts';
import { faultOf } from './fault.ts';
import { SiteSelect } from './site-select.tsx';
import { refreshDesk } from './use-list.tsx';
import type { Seed } from './wire.ts';

const MOST = 50;

interface MakeSeedsProps {
  onMade(seeds: Seed[]): void;
  onClose(): void;
}

export function MakeSeeds({ onMade, onClose }: MakeSeedsProps) {
  const { t } = useDeskText();
  const ability = useAbility();
  const [site, setSite] = useState(useSession()?.currentLocation ?? '');
  const [count, setCount] = useState<number | string>(1);
  const [note, setNote] = useState('');
  const [error, setError] = useState<unknown>(null);
  const made = useRef<Seed[]>([]);
  const wanted = Number(count);
  const make = async () => {
    try {
      while (made.current.length < wanted) {
        const body = { location: site, ...(note.trim() ? { note } : {}) };
        made.current.push(await request<Seed>('POST', '/api/seeds', { body }));
      }
    } catch (refused) {
      setError(refused);
      throw refused;
    } finally {
      await refreshDesk();
    }
    onMade(made.current);
  };
  return (
    <Ask
      title={t('seeds.make')}
      text={t('seeds.makeWhat')}
      yes={t('seeds.makeGo')}
      disabled={!site || !(wanted >= 1 && wanted <= MOST)}
      onYes={make}
      onClose={onClose}
    >
      <SiteSelect
        value={site}
        onChange={setSite}
        may={(location) => ability.can('create', as('Seed', { location }))}
        error={faultOf(error, 'location')}
      />
      <NumberInput
        mt="md"
        size="lg"
        label={t('common.count')}
        min={1}
        max={MOST}
        allowDecimal={false}
        value={count}
        onChange={setCount}
      />
      <TextInput
        mt="md"
        label={t('common.note')}
        description={t('seeds.noteWhat')}
        maxLength={1000}
        error={faultOf(error, 'note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Ask>
  );
}
