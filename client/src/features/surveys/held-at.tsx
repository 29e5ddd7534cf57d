/** When an interview was held, with the day on which it arrived below it, where that is another one. */
import { Text } from '@mantine/core';
import { useDeskText } from '../../desk/desk-text.ts';
import { momentOf } from '../../i18n.ts';
import { arrivedOtherDay } from '../work/held-at.ts';

export function HeldAt({ held, arrived }: { held: string; arrived: string }) {
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
