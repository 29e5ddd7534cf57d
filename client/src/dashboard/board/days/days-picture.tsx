/** A chart with one column per day, divided by site, with the study's changes marked above their day. */
import { dayIn } from '../../../texts/day-in.ts';
import { dayOf, shortDayOf } from '../../../texts/i18n.ts';
import { type SignedMark, withSigns } from '../../kit/charts/chart-marks.ts';
import { useDeskText } from '../../kit/words/desk-text.ts';
import { roundTop } from '../axis.ts';
import type { CountOf, Series } from './days-series.ts';

const HEIGHT = 100;

/** Evenly spread, the first and the last among them. */
function datesBelow(days: string[]): string[] {
  const gaps = Math.min(4, days.length - 1);
  if (gaps <= 0) return days;
  const picked = Array.from(
    { length: gaps + 1 },
    (_, at) => days[Math.round((at * (days.length - 1)) / gaps)],
  );
  return picked.filter((day) => day !== undefined);
}

interface Counts {
  days: string[];
  series: Series[];
  countOf: CountOf;
}

/** All sites in one column a day. */
export function DaysTogether({ days, series, countOf, marked }: Counts & { marked: MarkedDay[] }) {
  const { number } = useDeskText();
  const top = roundTop(Math.max(1, ...days.map((day) => countOf(day))));
  return (
    <div className="days-frame" dir="ltr" aria-hidden="true">
      <div className="days-scale">
        <span>{number(top)}</span>
        <span>{number(top / 2)}</span>
        <span>0</span>
      </div>
      <Signs marked={marked} days={days.length} />
      <svg
        className="days"
        viewBox={`0 0 ${days.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {[0.5, 50, 99.5].map((y) => (
          <line key={y} className="days-grid" x1="0" x2={days.length} y1={y} y2={y} />
        ))}
        <Columns days={days} series={series} countOf={countOf} top={top} />
        {marked.map(({ x }) => (
          <line key={x} className="days-mark" x1={x} x2={x} y1="0" y2={HEIGHT} />
        ))}
      </svg>
      <Dates days={days} />
    </div>
  );
}

/** A picture for each site, all on one scale, so that any number of them can be told apart and compared. */
export function DaysEach({ days, series, countOf }: Counts) {
  const { t, number } = useDeskText();
  const most = Math.max(1, ...series.flatMap(({ key }) => days.map((day) => countOf(day, key))));
  return (
    <>
      <p className="note">{t('board.eachScale', { most: number(most) })}</p>
      <ul className="days-each">
        {series.map((one) => (
          <li key={one.key} data-site={one.key}>
            <span>
              {one.label} ({number(one.total)})
            </span>
            <div dir="ltr">
              <svg
                className="days days-small"
                viewBox={`0 0 ${days.length} ${HEIGHT}`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <line className="days-grid" x1="0" x2={days.length} y1="99.5" y2="99.5" />
                <Columns days={days} series={[one]} countOf={countOf} top={most} />
              </svg>
              <Dates days={[days[0] ?? '', days.at(-1) ?? '']} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Dates({ days }: { days: string[] }) {
  const { language } = useDeskText();
  return (
    <div className="days-ends" aria-hidden="true">
      {[...new Set(datesBelow(days))].map((day) => (
        <bdi key={day}>{shortDayOf(day, language)}</bdi>
      ))}
    </div>
  );
}

export interface MarkedDay {
  /** In days from the first. */
  x: number;
  marks: SignedMark[];
}

/** Changes stand in the middle of their day, where the study is. */
export function markedDays(
  days: string[],
  marks: Parameters<typeof withSigns>[0],
  zone: string,
): MarkedDay[] {
  const within = withSigns(marks.filter(({ at }) => days.includes(dayIn(at, zone))));
  const byDay = new Map<string, SignedMark[]>();
  for (const mark of within) {
    const day = dayIn(mark.at, zone);
    byDay.set(day, [...(byDay.get(day) ?? []), mark]);
  }
  return [...byDay].map(([day, some]) => ({ x: days.indexOf(day) + 0.5, marks: some }));
}

/** Letters need so much of the width; those closer together stand one above the other. */
const SIGN_SHARE = 0.06;
const SIGN_LINE = 16;

function Signs({ marked, days }: { marked: MarkedDay[]; days: number }) {
  const ends: number[] = [];
  const lines = marked.map(({ x, marks }) => {
    const share = x / days;
    const free = ends.findIndex((end) => end <= share);
    const line = free < 0 ? ends.length : free;
    ends[line] = share + SIGN_SHARE;
    const [first, last] = [marks[0]?.sign, marks.at(-1)?.sign];
    return { sign: first === last ? first : `${first}–${last}`, share, line };
  });
  if (lines.length === 0) return null;
  return (
    <div className="days-signs" style={{ height: ends.length * SIGN_LINE }}>
      {lines.map(({ sign, share, line }) => (
        <b key={sign} style={{ insetInlineStart: `${100 * share}%`, bottom: line * SIGN_LINE }}>
          {sign}
        </b>
      ))}
    </div>
  );
}

/** One shape for each site: thousands of single bars would take longer to draw than all the rest of the board. */
function Columns({ days, series, countOf, top }: Counts & { top: number }) {
  const { language, number } = useDeskText();
  const width = days.length > 12 ? 0.86 : 0.5;
  const drawn = days.map(() => HEIGHT);
  const alone = series.length === 1 ? series[0]?.key : undefined;
  const shapes = series.map(({ key, colour }) => {
    const bars = days.map((day, at) => {
      const height = (HEIGHT * countOf(day, key)) / top;
      drawn[at] = (drawn[at] ?? HEIGHT) - height;
      return height > 0 ? `M${at + (1 - width) / 2} ${drawn[at]}h${width}v${height}h${-width}z` : '';
    });
    return <path key={key} d={bars.join('')} fill={colour} />;
  });
  return (
    <>
      {shapes}
      {days.map((day, at) => (
        <rect key={day} x={at} y={0} width={1} height={HEIGHT} fill="transparent">
          <title>{`${dayOf(day, language)}: ${number(countOf(day, alone))}`}</title>
        </rect>
      ))}
    </>
  );
}
