/** A count's people and households by cell: to read, copy, save, and print. */
import { useState } from 'react';
import { SelectField } from '../../../ui/choice.tsx';
import { FormError } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { requestDataFile } from '../../kit/data/download.ts';
import { saveFile } from '../../kit/data/save-file.ts';
import { PendingContent } from '../../kit/list/dashboard-page.tsx';
import { ReportTable } from '../../kit/words/report-table.tsx';
import { PointsChart } from '../chart/points-chart.tsx';
import { titleIn, useFigureFormatters } from '../kit/format-figures.ts';
import { COUNTS_PATH, type KnownCount, type CountTables as Tables } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { useCountIntervalText } from './count-intervals.ts';

type Table = Tables['tables'][number];

interface CountTablesProps {
  count: KnownCount;
  tables: Tables | undefined;
  error: unknown;
}

export function CountTables({ count, tables, error }: CountTablesProps) {
  const { t } = useResultsPageText();
  return (
    <Card heading={t('countTables.title')}>
      {tables ? (
        <TablesView count={count} tables={tables} />
      ) : (
        <PendingContent error={error} label={t('countTables.title')} />
      )}
    </Card>
  );
}

const keyOf = ({ table, of }: Table) => `${table} ${of}`;

function TablesView({ count, tables }: { count: KnownCount; tables: Tables }) {
  const { t, language } = useResultsPageText();
  const [chosen, setChosen] = useState('');
  const words = t('countTables.notes', { returnObjects: true }) as Partial<Record<string, string>>;
  const table = tables.tables.find((one) => keyOf(one) === chosen) ?? tables.tables[0];
  const nameOf = ({ title, table: key, of }: Table) =>
    `${titleIn(title, language, key)}: ${t(`countTables.of.${of}`)}`;
  return (
    <>
      <Totals tables={tables} />
      {tables.notes.map(({ table: about, code, message }) => (
        <Notice
          key={`${about ?? ''} ${code}`}
          tone={code === 'BELOW_SAMPLE' ? 'bad' : 'info'}
          title={words[code] ?? message}
        />
      ))}
      {table ? (
        <>
          <div className="no-print">
            <SelectField
              label={t('countTables.choose')}
              value={keyOf(table)}
              onChange={setChosen}
              options={tables.tables.map((one) => ({ value: keyOf(one), label: nameOf(one) }))}
            />
          </div>
          <CellsChart name={nameOf(table)} table={table} />
          {/* Printing shows all tables. */}
          {tables.tables.map((one) => (
            <div key={keyOf(one)} className={one === table ? undefined : 'count-other'}>
              <h3>{nameOf(one)}</h3>
              <Cells name={nameOf(one)} table={one} />
            </div>
          ))}
        </>
      ) : null}
      <TablesButtons count={count} />
    </>
  );
}

/** The totals, each with both intervals. */
function Totals({ tables }: { tables: Tables }) {
  const { t } = useResultsPageText();
  const { count } = useFigureFormatters('NUMBER');
  const intervalsOf = useCountIntervalText();
  return (['persons', 'households'] as const).map((key) => {
    const estimate = tables.totals[key]?.estimate;
    if (estimate == null) return null;
    return (
      <p key={key}>
        {t(`countTables.${key}`, { shown: count(estimate) })} {intervalsOf(tables, key)}
      </p>
    );
  });
}

function CellsChart({ name, table }: { name: string; table: Table }) {
  const { t, language } = useResultsPageText();
  const { count } = useFigureFormatters('NUMBER');
  const { cells: write } = useFigureFormatters('NUMBER');
  const rows = table.cells.flatMap(({ cell, title, estimate, low, high }) =>
    estimate === null
      ? []
      : [
          {
            key: cell,
            label: titleIn(title ?? {}, language, cell),
            value: estimate,
            says: count(estimate),
            low,
            high,
            main: true,
          },
        ],
  );
  if (rows.length === 0) return null;
  return (
    <PointsChart
      name={name}
      says={rows.map(({ label, says }) => `${label}: ${says}`).join('; ')}
      how={t('countTables.chartHow')}
      groups={[{ key: 'cells', title: name, rows }]}
      fromZero
      tick={count}
      axis={t('table.estimate')}
      table={{
        head: [t('countTables.cell'), t('table.estimate'), t('table.low'), t('table.high')],
        rows: rows.map(({ label, value, low, high }) => [label, value, low, high]),
      }}
      write={write({}, { all: 'count' })}
    />
  );
}

function Cells({ name, table }: { name: string; table: Table }) {
  const { t, language } = useResultsPageText();
  const { count } = useFigureFormatters('NUMBER');
  return (
    <ReportTable
      label={`${name}, ${t('table.estimate')}`}
      rows={table.cells}
      keyOf={({ cell }) => cell}
      columns={[
        { head: t('countTables.cell'), cell: ({ cell, title }) => titleIn(title ?? {}, language, cell) },
        {
          head: t('table.estimate'),
          numeric: true,
          cell: ({ estimate, hidden }) => (hidden ? t('countTables.hidden') : count(estimate)),
        },
        { head: t('table.low'), numeric: true, cell: ({ low }) => count(low) },
        { head: t('table.high'), numeric: true, cell: ({ high }) => count(high) },
      ]}
    />
  );
}

function TablesButtons({ count }: { count: KnownCount }) {
  const { t } = useResultsPageText();
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    try {
      saveFile(await requestDataFile(`${COUNTS_PATH}/${count.id}/tables.csv`), 'tables.csv');
      setError(null);
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <>
      <FormError error={error} />
      <div className="flow no-print">
        <PlainButton label={t('countTables.csv')} size="md" onClick={() => void save()} />
        <PlainButton
          label={t('countTables.print')}
          size="md"
          variant="default"
          onClick={() => window.print()}
        />
      </div>
    </>
  );
}
