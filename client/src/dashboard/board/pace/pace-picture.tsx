/** Cumulative counted interviews by day, with target, end date and forecast. */
import { useResizeObserver } from '@mantine/hooks';
import { shortDayOf } from '../../../texts/i18n.ts';
import { useDeskText } from '../../kit/words/desk-text.ts';
import { roundTop } from '../axis.ts';
import type { Pace } from '../board-wire.ts';

const HEIGHT = 230;
const TOP = 16;
const BOTTOM = 26;
/** So many pixels for each date below. */
const ROOM = 88;
const DAY = 86_400_000;

export const numberOfDay = (day: string) => Date.parse(day) / DAY;
const dayOfNumber = (day: number) => new Date(day * DAY).toISOString();

export function PacePicture({ pace }: { pace: Pace }) {
  const { t } = useDeskText();
  const [frame, { width }] = useResizeObserver<HTMLDivElement>();
  return (
    <div ref={frame} dir="ltr" className="pace-frame" style={{ minHeight: HEIGHT }}>
      {width > 0 ? (
        <svg role="img" aria-label={t('pace.picture')} width={width} height={HEIGHT} className="pace">
          <Drawing pace={pace} width={width} />
        </svg>
      ) : null}
    </div>
  );
}

interface Scales {
  x(day: number): number;
  y(value: number): number;
  left: number;
  right: number;
}

function Drawing({ pace, width }: { pace: Pace; width: number }) {
  const { t, number } = useDeskText();
  const path = pace.forecast?.path ?? [];
  const first = numberOfDay(pace.byDay[0]?.day ?? pace.day) - 1;
  const last = Math.max(
    numberOfDay(path.at(-1)?.day ?? pace.day),
    numberOfDay(pace.endsOn ?? pace.day),
    first + 2,
  );
  const top = roundTop(Math.max(pace.target ?? 0, pace.total, path.at(-1)?.high ?? 0, 4));
  const left = 14 + 8 * number(top).length;
  const right = width - 12;
  const scales: Scales = {
    x: (day) => left + ((right - left) * (day - first)) / (last - first),
    y: (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top),
    left,
    right,
  };
  const { x, y } = scales;
  const ends = pace.endsOn ? x(numberOfDay(pace.endsOn)) : null;
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <g key={share}>
          <line className="pace-grid" x1={left} x2={right} y1={y(top * share)} y2={y(top * share)} />
          <text className="pace-small" x={left - 6} y={y(top * share) + 4} textAnchor="end">
            {number(top * share)}
          </text>
        </g>
      ))}
      <Dates first={first} last={last} scales={scales} />
      <Cone pace={pace} scales={scales} />
      <path className="pace-line" d={sumLine(pace, first, scales)} />
      {pace.target ? (
        <>
          <line className="pace-target" x1={left} x2={right} y1={y(pace.target)} y2={y(pace.target)} />
          <text className="pace-small" x={left + 4} y={y(pace.target) - 5}>
            {t('pace.targetIs', { target: number(pace.target) })}
          </text>
        </>
      ) : null}
      {ends === null ? null : (
        <>
          <line className="pace-end" x1={ends} x2={ends} y1={TOP} y2={HEIGHT - BOTTOM} />
          <text className="pace-small" x={ends - 4} y={HEIGHT - BOTTOM - 6} textAnchor="end">
            {t('pace.endsOn')}
          </text>
        </>
      )}
    </>
  );
}

/** As many dates as stand beside each other, the first and the last among them. */
function Dates({ first, last, scales: { x } }: { first: number; last: number; scales: Scales }) {
  const { language } = useDeskText();
  const many = Math.max(2, Math.min(last - first, Math.floor((x(last) - x(first)) / ROOM)));
  const days = Array.from({ length: many + 1 }, (_, at) => Math.round(first + ((last - first) * at) / many));
  return [...new Set(days)].map((day) => (
    <g key={day}>
      <line className="pace-grid" x1={x(day)} x2={x(day)} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM + 4} />
      <text
        className="pace-small"
        x={x(day)}
        y={HEIGHT - 6}
        textAnchor={day === first ? 'start' : day === last ? 'end' : 'middle'}
      >
        {shortDayOf(dayOfNumber(day), language)}
      </text>
    </g>
  ));
}

/** At the end of each day; a day without an interview goes on level. */
function sumLine({ byDay, day }: Pace, first: number, { x, y }: Scales): string {
  let sum = 0;
  const points = [`M${x(first)} ${y(0)}`];
  for (const one of byDay) {
    const at = numberOfDay(one.day);
    points.push(`L${x(at - 1)} ${y(sum)}`);
    sum += one.surveys;
    points.push(`L${x(at)} ${y(sum)}`);
  }
  return [...points, `L${x(Math.max(first, numberOfDay(day)))} ${y(sum)}`].join('');
}

function Cone({ pace: { forecast, total, today, day }, scales: { x, y } }: { pace: Pace; scales: Scales }) {
  if (!forecast) return null;
  const from = numberOfDay(day) - 1;
  const start = `${x(from)} ${y(total - today)}`;
  const at = (side: 'expected' | 'low' | 'high') =>
    forecast.path.map((one) => `L${x(numberOfDay(one.day))} ${y(one[side])}`);
  return (
    <>
      <path className="pace-cone" d={`M${start}${at('high').join('')}${at('low').toReversed().join('')}Z`} />
      <path className="pace-likely" d={`M${start}${at('expected').join('')}`} />
    </>
  );
}
