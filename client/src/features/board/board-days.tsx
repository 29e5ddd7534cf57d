/** Interviews by day, each day a column of its sites; the numbers stand in a table below. */
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { dayIn } from '../../desk/day-in.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { MarkList } from '../../desk/mark-list.tsx';
import { type SignedMark, useMarks, withSigns } from '../../desk/marks.ts';
import { datesAs, numberOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { Card } from '../../ui/page.tsx';
import { OTHER } from '../tree/tree-colour.ts';
import { roundTop } from './axis.ts';
import type { Summary } from './board-wire.ts';

/** More colours could not be told apart, least of all by the colour-blind. */
const SITES = 8;
const HEIGHT = 100;

interface Series {
  key: string;
  label: string;
  colour: string;
  total: number;
}

/** Every day from the first to the last: a day without an interview is a gap that one should see. */
function allDays(days: string[]): string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const all: string[] = [];
  for (
    let at = new Date(`${first}T12:00:00Z`);
    all.at(-1) !== last && all.length < 2_000;
    at.setUTCDate(at.getUTCDate() + 1)
  ) {
    all.push(at.toISOString().slice(0, 10));
  }
  return all;
}

/** Apart in hue and in brightness, so that they differ for the colour-blind too; none is that of a warning. */
const SITE_COLOURS = ['#0b8272', '#4d9de0', '#5b3fa8', '#8fbf5a', '#1f4e9c', '#b07cc6', '#3d6b2f', '#57b8b0'];

/** `alone`: this site before all others; else the largest, and one for the rest. */
function useSeries(
  byDay: Summary['byDay'],
  alone: string,
): { series: Series[]; seriesOf(location: string): string } {
  const { t } = useDeskText();
  const siteOf = useLocationName();
  const totals = new Map<string, number>();
  for (const { location, surveys } of byDay) totals.set(location, (totals.get(location) ?? 0) + surveys);
  const sorted = [...totals].sort((a, b) => b[1] - a[1]);
  const own = alone
    ? sorted.filter(([site]) => site === alone)
    : sorted.slice(0, sorted.length > SITES ? SITES - 1 : SITES);
  const series: Series[] = own.map(([key, total], at) => ({
    key,
    total,
    label: siteOf(key),
    colour: SITE_COLOURS[at] ?? OTHER,
  }));
  const rest = sorted.filter((one) => !own.includes(one));
  if (rest.length > 0) {
    const total = rest.reduce((sum, [, count]) => sum + count, 0);
    series.push({ key: 'other', label: t('board.otherSites', { count: rest.length }), colour: OTHER, total });
  }
  const known = new Set(own.map(([key]) => key));
  return { series, seriesOf: (location) => (known.has(location) ? location : 'other') };
}

const shortOf = datesAs({ day: 'numeric', month: 'short', timeZone: 'UTC' });

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

const noonOf = datesAs({ dateStyle: 'medium', timeZone: 'UTC' });
const dayOf = (day: string, language: string) => noonOf(`${day}T12:00:00Z`, language);

export function ByDay({ byDay, timeZone }: Pick<Summary, 'byDay' | 'timeZone'>) {
  const { t, language } = useDeskText();
  const { marks, open: mayRead } = useMarks();
  const [alone, setAlone] = useState('');
  const { series, seriesOf } = useSeries(byDay, alone);
  const siteOf = useLocationName();
  const sites = [...new Set(byDay.map(({ location }) => location))];
  const days = allDays(byDay.map(({ day }) => day));
  const counts = new Map<string, number>();
  for (const { day, location, surveys } of byDay) {
    const key = `${day} ${seriesOf(location)}`;
    counts.set(key, (counts.get(key) ?? 0) + surveys);
    counts.set(day, (counts.get(day) ?? 0) + surveys);
  }
  const countOf = (day: string, key?: string) => counts.get(key ? `${day} ${key}` : day) ?? 0;
  const top = roundTop(Math.max(1, ...days.map((day) => countOf(day))));
  const [open, setOpen] = useState(false);
  const marked = markedDays(days, marks, timeZone);
  const number = (value: number) => numberOf(value, language);
  return (
    <Card label={t('board.byDay')}>
      {days.length > 0 ? <p className="bars-note">{t('board.byDayWhat')}</p> : null}
      {days.length === 0 ? <p className="bars-note">{t('board.nothing')}</p> : null}
      {days.length > 0 ? (
        <>
          {sites.length > 2 ? (
            <NativeSelect
              className="days-choice"
              size="md"
              label={t('board.sitesShown')}
              value={alone}
              onChange={(event) => setAlone(event.currentTarget.value)}
              data={[
                { value: '', label: t('board.allSites') },
                ...sites
                  .map((value) => ({ value, label: siteOf(value) }))
                  .sort((a, b) => a.label.localeCompare(b.label, language)),
              ]}
            />
          ) : null}
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
            <div className="days-ends">
              {datesBelow(days).map((day) => (
                <bdi key={day}>{shortOf(`${day}T12:00:00Z`, language)}</bdi>
              ))}
            </div>
          </div>
          <ul className="board-key">
            {series.map(({ key, label, colour, total }) => (
              <li key={key}>
                <span className="board-dot" style={{ background: colour }} />
                {label} ({number(total)})
              </li>
            ))}
          </ul>
          <MarkList marks={marked.flatMap((day) => day.marks)} open={mayRead} />
          <details className="board-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>{t('board.asTable')}</summary>
            {open ? <DaysTable days={days} series={series} countOf={countOf} /> : null}
          </details>
        </>
      ) : null}
    </Card>
  );
}

interface MarkedDay {
  /** In days from the first. */
  x: number;
  marks: SignedMark[];
}

/** Changes stand in the middle of their day, where the study is. */
function markedDays(days: string[], marks: Parameters<typeof withSigns>[0], zone: string): MarkedDay[] {
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

interface Counts {
  days: string[];
  series: Series[];
  /** Of all sites, or of one series. */
  countOf(day: string, key?: string): number;
}

/** One shape for each site: thousands of single bars would take longer to draw than all the rest of the board. */
function Columns({ days, series, countOf, top }: Counts & { top: number }) {
  const { language } = useDeskText();
  const width = days.length > 12 ? 0.86 : 0.5;
  const drawn = days.map(() => HEIGHT);
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
          <title>{`${dayOf(day, language)}: ${numberOf(countOf(day), language)}`}</title>
        </rect>
      ))}
    </>
  );
}

function DaysTable({ days, series, countOf }: Counts) {
  const { t, language } = useDeskText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to enter it
    <section className="board-scroll" tabIndex={0} aria-label={t('board.byDay')}>
      <table className="board-plain" aria-label={t('board.byDay')}>
        <thead>
          <tr>
            <th scope="col">{t('board.day')}</th>
            <th scope="col">{t('board.all')}</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day} data-day={day}>
              <th scope="row">{dayOf(day, language)}</th>
              <td>{numberOf(countOf(day), language)}</td>
              {series.map(({ key }) => (
                <td key={key}>{numberOf(countOf(day, key), language)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
