/** When the figures were counted, and that they are being counted anew. */
import { Text } from '@mantine/core';
import { useResultsText } from './results-text.ts';

export function AsOf({ at, anew }: { at: string; anew: boolean }) {
  const { t, moment } = useResultsText();
  return (
    <Text c="dimmed" size="sm" data-testid="as-of">
      {t(anew ? 'asOfAnew' : 'asOf', { at: moment(at) })}
    </Text>
  );
}
