/** The day on which an interview arrived, where it is not the one on which it was held. */
import { Text } from '@mantine/core';
import { useDeskText } from '../../desk/desk-text.ts';
import { arrivedOtherDay } from '../work/held-at.ts';

export function Arrived({ held, arrived }: { held: string; arrived: string }) {
  const { t, moment } = useDeskText();
  if (!arrivedOtherDay(held, arrived)) return null;
  return (
    <Text size="sm" c="dimmed" component="span" className="desk-arrived">
      {t('surveys.arrivedOn', { at: moment(arrived) })}
    </Text>
  );
}
