/** The round that a page is about, in its address. Nothing to choose while there is only one. */
import { NativeSelect } from '@mantine/core';
import type { z } from 'zod';
import type { Round } from '../../../../../src/study/rounds/schema.ts';
import type { ListOf } from '../../../wire.ts';
import { useGet } from '../data/use-list.tsx';
import { useDeskText } from '../words/desk-text.ts';
import { useFilters } from './filters.tsx';

/** Empty for the open one, or the latest. */
export const useRound = (): string => useFilters(['round']).values.round;

export function RoundChoice() {
  const { t } = useDeskText();
  const filters = useFilters(['round']);
  const rounds = useGet<ListOf<z.infer<typeof Round>>>('/api/rounds?limit=200').data?.data ?? [];
  if (rounds.length < 2) return null;
  const shown = filters.values.round || (rounds.find(({ state }) => state === 'OPEN') ?? rounds[0])?.id;
  return (
    <NativeSelect
      size="md"
      aria-label={t('audit.field.round')}
      value={shown ?? ''}
      onChange={(event) => filters.set('round', event.currentTarget.value)}
      data={rounds.map(({ id, name, state }) => ({
        value: id,
        label: state === 'OPEN' ? name : t('rounds.closedName', { name }),
      }))}
    />
  );
}
