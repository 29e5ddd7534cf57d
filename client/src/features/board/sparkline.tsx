/** The interviews of one site on each of the last 28 days that the board shows: a picture beside its name. */
import type { Summary } from './board-wire.ts';

const DAYS = 28;
const DAY = 86_400_000;
const HEIGHT = 20;
const BAR = 3;

const numberOfDay = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY;

/** The columns beside it say the same in numbers. */
export function LastWeeks({ byDay, site }: { byDay: Summary['byDay']; site: string }) {
  const last = numberOfDay(byDay.at(-1)?.day ?? '1970-01-01');
  const counts = new Map<number, number>();
  for (const { day, location, surveys } of byDay)
    if (location === site) counts.set(DAYS - 1 - (last - numberOfDay(day)), surveys);
  const shown = [...counts].filter(([at]) => at >= 0);
  const most = Math.max(1, ...shown.map(([, count]) => count));
  return (
    <svg className="sparkline" width={DAYS * BAR} height={HEIGHT} aria-hidden="true">
      {shown.map(([at, count]) => (
        <rect
          key={at}
          x={at * BAR}
          y={HEIGHT - (HEIGHT * count) / most}
          width={BAR - 1}
          height={(HEIGHT * count) / most}
        />
      ))}
    </svg>
  );
}
