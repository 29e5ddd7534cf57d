/** When the figures were calculated, and whether older ones are being recalculated. */
import { Text } from '@mantine/core';
import { latestServiceTime } from '../../device/service-time.ts';
import { dateFormatter } from '../../texts/i18n.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

/** For figures older than this, the page says that they are being recalculated. */
const OLD_AFTER_MS = 60_000;

const timeWithSeconds = dateFormatter({ timeStyle: 'medium' });

interface AsOfProps {
  at: string;
  /** The recalculation failed. */
  failed: boolean;
  /** Shows nothing for recent figures. */
  onlyOld?: boolean;
}

export function AsOf({ at, failed, onlyOld = false }: AsOfProps) {
  const { t, language, moment } = useDashboardText();
  const isOld = Date.parse(latestServiceTime()) - Date.parse(at) > OLD_AFTER_MS;
  if (onlyOld && !isOld) return null;
  return (
    <Text component="span" c="dimmed" data-testid="as-of">
      {isOld
        ? t(failed ? 'board.asOf' : 'board.asOfAnew', { at: moment(at) })
        : t('board.asOf', { at: timeWithSeconds(at, language) })}
    </Text>
  );
}
