/** A report item's figures, as a chart if that is clearer, otherwise as rows. */
import { BarsChart } from '../chart/bars-chart.tsx';
import { PlainTable } from '../chart/chart.tsx';
import { PointsChart } from '../chart/points-chart.tsx';
import { type OutcomeLevelRows, REPORT_LEVEL_COLUMNS } from './report-levels.ts';
import { isLocalizedText, tableOfValue } from './report-table.ts';

interface Wave {
  wave: number;
  people: number;
}
const areWaves = (value: unknown): value is Wave[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => 'wave' in one && 'people' in one);

interface Spread {
  lowerQuartile: number;
  median: number;
  upperQuartile: number;
}
const isSpread = (value: unknown): value is Spread =>
  typeof value === 'object' && value !== null && 'lowerQuartile' in value && 'median' in value;

const write = (value: number) => value.toLocaleString('en');

export function ReportValue({ label, value }: { label: string; value: unknown }) {
  const table = tableOfValue(value);
  if (!table) return null;
  if (areWaves(value)) {
    const rows = value.map(({ wave, people }) => ({
      key: String(wave),
      label: wave === 0 ? 'Seeds' : `Wave ${wave}`,
      value: people,
      says: write(people),
    }));
    return <BarsChart plain name={label} rows={rows} table={table} />;
  }
  if (isSpread(value)) {
    const { lowerQuartile: low, median, upperQuartile: high } = value;
    const says = `median ${write(median)}, half between ${write(low)} and ${write(high)}`;
    const row = { key: 'all', label: 'Median', value: median, low, high, says: write(median), main: true };
    const groups = [{ key: 'all', title: '', rows: [row] }];
    return (
      <PointsChart
        plain
        name={label}
        says={says}
        groups={groups}
        fromZero
        tick={write}
        axis="Network size"
        table={table}
      />
    );
  }
  return (
    <div className={isLocalizedText(value) ? 'report-words' : undefined}>
      <PlainTable label={label} table={table} write={(cell) => (cell === null ? '–' : <bdi>{cell}</bdi>)} />
    </div>
  );
}

/** All questions in one table, for looking things up. */
export function ReportLevels({ label, groups }: { label: string; groups: OutcomeLevelRows[] }) {
  const [first, ...others] = REPORT_LEVEL_COLUMNS;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to reach it
    <div className="figure-scroll" tabIndex={0}>
      <table className="figure-table report-levels" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ name, title, rows }) => (
          <tbody key={name} data-outcome={name}>
            <tr>
              <th scope="rowgroup" colSpan={REPORT_LEVEL_COLUMNS.length}>
                {title}
              </th>
            </tr>
            {rows.map((row) => (
              <tr key={row.label}>
                <th scope="row">{row.label}</th>
                <td>{row.known}</td>
                <td>{row.mean}</td>
                <td>{row.rds2}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
