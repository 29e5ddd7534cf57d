/** Recruitment matrix: who recruits whom, with homophily. */
import { Card } from '../../../ui/page.tsx';
import { ChartDownloadButton, PlainTable } from '../chart/chart.tsx';
import { saveTable, type TableData } from '../chart/save-chart.ts';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { useLevelTitle, useSuppressedFigureText } from '../kit/levels.ts';
import type { Estimates } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

/** Longer column headings are cut; the row headings show them in full. */
const MAX_LABEL_LENGTH = 26;

export function RecruitmentMatrix({ estimates }: { estimates: Estimates }) {
  const { t } = useResultsPageText();
  const { cells } = useFigureFormatters('CATEGORY');
  const titleOf = useLevelTitle();
  const { transitions, levels, homophily } = estimates;
  if (!transitions) return null;
  const names = levels.map((level) => titleOf(level));
  const name = t('between.title');
  const table: TableData = {
    head: [
      t('between.recruiter'),
      ...names.map((one) => (one.length > MAX_LABEL_LENGTH ? `${one.slice(0, MAX_LABEL_LENGTH)}…` : one)),
    ],
    rows: transitions.counts.map((row, at) => [names[at] ?? '', ...row]),
  };
  return (
    <Card heading={name}>
      <p className="note">{t('between.how')}</p>
      <PlainTable label={name} table={table} write={cells({}, { all: 'count', none: t('between.hidden') })} />
      {homophily ? <HomophilyNote estimates={estimates} names={names} /> : null}
      <div className="flow no-print">
        <ChartDownloadButton label={t('chart.csv')} about={name} onClick={() => saveTable(table, name)} />
      </div>
    </Card>
  );
}

function HomophilyNote({ estimates, names }: { estimates: Estimates; names: string[] }) {
  const { t } = useResultsPageText();
  const { ratio, cells } = useFigureFormatters('CATEGORY');
  const hidden = useSuppressedFigureText();
  const { levels, homophily, differentialActivity } = estimates;
  if (!homophily) return null;
  const of = (list: Estimates['differentialActivity'], value: string | null) =>
    list?.find((one) => one.value === value)?.estimate ?? null;
  return (
    <>
      <p className="note">
        {t('between.recruitment', { value: ratio(homophily.recruitment) })} {t('between.homophilyWhat')}
      </p>
      <PlainTable
        label={t('between.homophily')}
        table={{
          head: [t('level'), t('between.homophily'), t('between.activity')],
          rows: levels.map(({ value, hidden: isHidden }, at) => [
            names[at] ?? '',
            isHidden ? hidden : of(homophily.population, value),
            isHidden ? null : of(differentialActivity, value),
          ]),
        }}
        write={cells({}, { all: 'ratio' })}
      />
      <p className="note">{t('between.activityWhat')}</p>
    </>
  );
}
