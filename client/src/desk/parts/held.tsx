/** When an interview was held, with the day on which it arrived below it, where that is another one. */
import { Text } from '@mantine/core';
import { momentOf } from '../../i18n.ts';
import { arrivedOtherDay } from '../../parts/held.ts';
import { useDeskText } from './desk-text.ts';

export function Held({ held, arrived }: { held: string; arrived: string }) {
  const { language } = useDeskText();
  return (
    <span className="desk-held">
      {momentOf(held, language)}
      <br />
      <Arrived held={held} arrived={arrived} />
    </span>
  );
}

export function Arrived({ held, arrived }: { held: string; arrived: string }) {
  const { t, language } = useDeskText();
  if (!arrivedOtherDay(held, arrived)) return null;
  return (
    <Text size="sm" c="dimmed" component="span" className="desk-arrived">
      {t('surveys.arrivedOn', { at: momentOf(arrived, language) })}
    </Text>
  );
}
