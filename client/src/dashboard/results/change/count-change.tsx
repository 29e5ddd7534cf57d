/** The change in the number of adults, people, and households, from one population count per round. */
import { useState } from 'react';
import { Link } from 'react-router';
import { changeDirectionOf } from '../../../../../src/statistics/change/direction.ts';
import { withQuery } from '../../../session/api.ts';
import { numberInLanguage } from '../../../texts/i18n.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { Card } from '../../../ui/page.tsx';
import type { ListOf } from '../../../wire.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { PendingContent } from '../../kit/list/dashboard-page.tsx';
import { ReportTable } from '../../kit/words/report-table.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { dashboardResultsPath } from '../kit/results-page.tsx';
import {
  COUNTS_PATH,
  type CountChangeBetweenRounds,
  type KnownCount,
  type OutcomeComparison,
} from '../kit/results-wire.ts';
import { useCopy } from '../kit/use-copy.ts';
import { useResultsPageText } from '../results-text.ts';
import { Comparability } from './comparability.tsx';
import { isolateLeftToRight } from './use-points.ts';

interface RoundRef {
  id: string;
  name: string;
}

interface CountChangeProps {
  from: RoundRef;
  to: RoundRef;
  /** The change of an answer's share, shown above. */
  above: OutcomeComparison | undefined;
}

export function CountComparisonCard({ from, to, above }: CountChangeProps) {
  const { t } = useResultsPageText();
  const counts = useGet<ListOf<KnownCount>>(`${COUNTS_PATH}?limit=200`);
  return (
    <Card heading={t('change.counts.title')}>
      {counts.data ? (
        <CountChoice key={`${from.id} ${to.id}`} {...{ from, to, above }} counts={counts.data.data} />
      ) : (
        <PendingContent error={counts.error} label={t('change.counts.title')} />
      )}
    </Card>
  );
}

interface ChoiceProps extends CountChangeProps {
  /** Latest first. */
  counts: KnownCount[];
}

/**
 * By default, the latest count of the later round, and an earlier one of the same answer. Both are of the same site,
 * or of all sites.
 */
function CountChoice({ from, to, above, counts }: ChoiceProps) {
  const { t } = useResultsPageText();
  const [chosen, setChosen] = useState({ from: '', to: '' });
  const after = counts.filter(({ round }) => round === to.id);
  const later = after.find(({ id }) => id === chosen.to) ?? after[0];
  const before = counts.filter(({ round, location }) => round === from.id && location === later?.location);
  const isLike = ({ outcome, value }: KnownCount) => outcome === later?.outcome && value === later.value;
  const earlier = before.find(({ id }) => id === chosen.from) ?? before.find(isLike) ?? before[0];
  if (!earlier || !later)
    return (
      <p>
        {t('change.counts.none')}{' '}
        <Link
          className="tall-link"
          to={withQuery(dashboardResultsPath('counts'), { round: (earlier ? to : from).id })}
        >
          {t('counts.title')}
        </Link>
      </p>
    );
  const select = (name: 'from' | 'to', { name: round }: RoundRef, value: string, options: KnownCount[]) =>
    options.length > 1 ? (
      <SelectField
        label={t('change.counts.choose', { round })}
        value={value}
        options={options.map((one) => ({ value: one.id, label: one.name }))}
        onChange={(id) => setChosen({ ...chosen, [name]: id })}
      />
    ) : null;
  return (
    <>
      <div className="flow no-print">
        {select('from', from, earlier.id, before)}
        {select('to', to, later.id, after)}
      </div>
      <CountChangeLoader {...{ earlier, later, above }} />
    </>
  );
}

interface PairProps extends Pick<CountChangeProps, 'above'> {
  earlier: KnownCount;
  later: KnownCount;
}

function CountChangeLoader({ earlier, later, above }: PairProps) {
  const { t } = useResultsPageText();
  const path = withQuery(`${COUNTS_PATH}/${earlier.id}/change`, { with: later.id });
  const change = useGet<CountChangeBetweenRounds>(path, { refetchInterval: 5 * 60_000 });
  if (!change.data) return <PendingContent error={change.error} label={t('change.counts.title')} />;
  return <CountChangeView {...{ earlier, later, above }} change={change.data} />;
}

interface ViewProps extends PairProps {
  change: CountChangeBetweenRounds;
}

/** Differences about one question: repeated if the change above is about another question. */
const QUESTION_DIFFERENCES: ReadonlySet<string> = new Set(['QUESTION_TEXT', 'CHOICES']);

interface TotalRow {
  key: 'ADULTS' | 'PERSONS' | 'HOUSEHOLDS';
  change: NonNullable<CountChangeBetweenRounds['persons']>;
}

function CountChangeView({ change, earlier, later, above }: ViewProps) {
  const { t, language } = useResultsPageText();
  const copy = useCopy();
  const { count, ratio } = useFigureFormatters('NUMBER');
  const { rounds, persons, households, from, to, difference, sentence } = change;
  const adults = { from: from.total, to: to.total, difference, ratio: change.ratio, sentence };
  const rows: TotalRow[] = [
    { key: 'ADULTS' as const, change: adults },
    ...(persons ? [{ key: 'PERSONS' as const, change: persons }] : []),
    ...(households ? [{ key: 'HOUSEHOLDS' as const, change: households }] : []),
  ];
  const visibleRows = rows.filter((row) => row.change.difference.estimate !== null);
  const signed = (figure: number | null) =>
    figure === null
      ? '–'
      : isolateLeftToRight(
          `${figure > 0 ? '+' : ''}${numberInLanguage(Math.round(figure), language)}`,
          language,
        );
  const nameOf = ({ key }: TotalRow) => t(`change.counts.of.${key}`);
  const range = (low: string, high: string) => isolateLeftToRight(`${low} … ${high}`, language);
  if (visibleRows.length === 0) return <p>{t('countTables.notes.HIDDEN')}</p>;
  return (
    <>
      {visibleRows.map((row) => (
        <p key={row.key} className={row.key === 'ADULTS' ? 'results-sentence' : undefined}>
          {sentenceOf(row)}
        </p>
      ))}
      <div className="change-figures">
        <ReportTable
          label={t('change.counts.what')}
          rows={visibleRows}
          keyOf={({ key }) => key}
          columns={[
            { head: t('change.counts.what'), cell: nameOf },
            { head: rounds.from.name, numeric: true, cell: ({ change: one }) => totalOf(one.from) },
            { head: rounds.to.name, numeric: true, cell: ({ change: one }) => totalOf(one.to) },
            {
              head: t('change.difference'),
              numeric: true,
              cell: ({ change: { difference: by } }) =>
                `${signed(by.estimate)} (${range(signed(by.low), signed(by.high))})`,
            },
            {
              head: t('change.counts.ratio'),
              numeric: true,
              cell: ({ change: { ratio: by } }) =>
                `${ratio(by.estimate)} (${range(ratio(by.low), ratio(by.high))})`,
            },
          ]}
        />
      </div>
      <Comparability comparability={change.comparability.filter(isNew)} />
      <details className="more">
        <summary>{t('headline.how')}</summary>
        <p className="note">{t('change.counts.how')}</p>
        {[earlier, later].map((one) => (
          <p key={one.id} className="note">
            {t('change.counts.source', { ...one, known: count(one.known) })}
          </p>
        ))}
      </details>
      <div className="flow no-print">
        <PlainButton label={t('copy')} size="md" onClick={() => void copy(textOf(visibleRows, change))} />
      </div>
    </>
  );

  function isNew({ code }: CountChangeBetweenRounds['comparability'][number]): boolean {
    const isAbove = above?.comparability.some((one) => one.code === code) ?? false;
    return !isAbove || (QUESTION_DIFFERENCES.has(code) && above?.outcome !== later.outcome);
  }
  function totalOf({
    estimate,
    low,
    high,
  }: NonNullable<CountChangeBetweenRounds['persons']>['from']): string {
    return `${count(estimate)} (${range(count(low), count(high))})`;
  }
  function sentenceOf(row: TotalRow): string {
    const { from: before, to: after, difference: by } = row.change;
    const words = t('change.counts.sentence', {
      ...{ what: nameOf(row), before: count(before.estimate), after: count(after.estimate) },
      ...{ from: rounds.from.name, to: rounds.to.name },
      ...{ by: signed(by.estimate), low: signed(by.low), high: signed(by.high) },
    });
    const direction = changeDirectionOf(by.low, by.high);
    return direction ? `${words} ${t(`change.${direction}`)}` : words;
  }
}

/** In English, for journals and funders. */
const textOf = (rows: TotalRow[], { comparability }: CountChangeBetweenRounds): string =>
  [
    ...rows.flatMap(({ change: { sentence } }) => sentence ?? []),
    'Each total is a number known from another source, divided by the share of that answer in the round’s sample (RDS-II). Intervals are over the replicates of both samples, which are independent.',
    ...(comparability.length > 0
      ? [`What differed: ${comparability.map(({ message }) => message).join(' ')}`]
      : []),
  ].join('\n');
