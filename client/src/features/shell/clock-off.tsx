/** The phone's clock is far from the service's: said before more interviews get times that can't be. */
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { clockOff } from '../../device/service-time.ts';
import { Notice } from '../../ui/notice.tsx';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function unitOf(off: number): ['minutes' | 'hours' | 'days', number] {
  if (off >= 2 * DAY) return ['days', off / DAY];
  return off >= 2 * HOUR ? ['hours', off / HOUR] : ['minutes', off / 60_000];
}

export function ClockOff() {
  const { t } = useTranslation();
  const off = useSyncExternalStore(clockOff.watch, clockOff.get);
  if (off === 0) return null;
  const [unit, count] = unitOf(Math.abs(off));
  const by = t(`clock.${unit}`, { count: Math.round(count) });
  return (
    <Notice tone="warn" icon="clock" live title={t(off > 0 ? 'clock.ahead' : 'clock.behind', { by })}>
      {t('clock.what')}
    </Notice>
  );
}
