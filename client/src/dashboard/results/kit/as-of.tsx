/** When the figures were calculated, and whether they are being recalculated. */
import { Text } from '@mantine/core';
import { useResultsPageText } from '../results-text.ts';

export function AsOf({ at, anew }: { at: string; anew: boolean }) {
  const { t, moment } = useResultsPageText();
  return (
    <Text c="dimmed" size="sm" data-testid="as-of">
      {t(anew ? 'asOfAnew' : 'asOf', { at: moment(at) })}
    </Text>
  );
}
