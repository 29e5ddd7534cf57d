/** The recruitment at a glance: how many, where, how far the chains reach, and what needs a person. */
import './board.css';
import { Text } from '@mantine/core';
import { useDeferredValue } from 'react';
import { withQuery } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DayFilter, FilterBar, type Filters, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { DeskPage, ListSkeleton } from '../../desk/list-page.tsx';
import { useGet } from '../../desk/use-list.tsx';
import { datesAs, numberOf } from '../../i18n.ts';
import { useProblemText } from '../../problem-text.ts';
import { FormError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Alerts } from './board-alerts.tsx';
import { Chains } from './board-chains.tsx';
import { ByDay } from './board-days.tsx';
import { Shapes, WholeStudy } from './board-shapes.tsx';
import {
  BOARD_FILTERS,
  type FirstTotals,
  inPeoplesHands,
  type Summary,
  summaryPath,
  totalsPath,
} from './board-wire.ts';

const EVERY = 5_000;

export default function Board() {
  const { t, language } = useDeskText();
  const problem = useProblemText();
  const filters = useFilters(BOARD_FILTERS);
  const board = useGet<Summary>(summaryPath(filters.values), { every: EVERY });
  const summary = board.data;
  // A third of the time: whoever opens the board need not wait for the rest to see how many interviews there are.
  const first = useGet<FirstTotals>(totalsPath(filters.values), { open: !summary }).data;
  return (
    <DeskPage
      title={t('board.title')}
      lead={t('board.lead')}
      beside={
        summary ? (
          <Text component="span" c="dimmed" data-testid="as-of">
            {t('board.asOf', { at: timeWithSeconds(summary.asOf, language) })}
          </Text>
        ) : null
      }
    >
      <FilterBar filters={filters}>
        <SiteFilter value={filters.values.location} onChange={(value) => filters.set('location', value)} />
        <DayFilter
          label={t('board.heldFrom')}
          value={filters.values.from}
          onChange={(value) => filters.set('from', value)}
        />
        <DayFilter
          label={t('board.heldTo')}
          value={filters.values.to}
          onChange={(value) => filters.set('to', value)}
        />
      </FilterBar>
      {board.error && !summary ? <FormError error={board.error} /> : null}
      {board.error && summary ? (
        <Notice tone="warn" title={t('common.old')}>
          {problem(board.error)}
        </Notice>
      ) : null}
      {board.isPending && first ? <Figures totals={first} summary={null} /> : null}
      {board.isPending ? <ListSkeleton label={t('board.title')} rows={12} /> : null}
      {summary ? <Numbers summary={summary} filters={filters} /> : null}
    </DeskPage>
  );
}

const timeWithSeconds = datesAs({ timeStyle: 'medium' });

function Numbers({ summary, filters }: { summary: Summary; filters: Filters<string> }) {
  const { t } = useDeskText();
  const { alerts, alertsTotal, totals } = summary;
  // The numbers at once, the pictures as soon as there is time.
  const drawn = useDeferredValue(summary, null);
  return (
    <>
      <Figures totals={totals} summary={summary} />
      <Alerts
        alerts={alerts}
        total={alertsTotal}
        flagged={totals.flagged}
        flaggedAt={withQuery('/desk/surveys', { flag: 'any', ...flaggedWithin(filters.values) })}
      />
      {drawn ? (
        <>
          <ByDay byDay={drawn.byDay} timeZone={drawn.timeZone} />
          <Shapes summary={drawn} />
          <Chains summary={drawn} />
          {filters.any ? <Text c="dimmed">{t('board.wholeStudy')}</Text> : null}
          <WholeStudy summary={drawn} />
        </>
      ) : null}
    </>
  );
}

/** The list goes by arrival: what was held from a day on arrived from then on, but until a day says nothing. */
const flaggedWithin = ({ location, from }: Filters<string>['values']) => ({ location, from });

interface FiguresProps {
  totals: FirstTotals;
  /** Null while it is being counted: figures that come from it are left open. */
  summary: Summary | null;
}

type Figure = [name: string, label: string, value: number | undefined, beside: string | null];

function Figures({ totals, summary }: FiguresProps) {
  const { t, language } = useDeskText();
  const number = (value: number) => numberOf(value, language);
  const figures: Figure[] = [
    ['surveys', t('board.surveys'), totals.surveys, null],
    ['completed', t('board.completed'), totals.completed, useBesideCompleted(totals)],
    ['inProgress', t('board.inProgress'), totals.inProgress, null],
    ['walkIns', t('board.walkIns'), summary?.totals.walkIns, null],
    ['flagged', t('board.flagged'), totals.flagged, null],
    ['chains', t('board.chains'), summary?.chainsTotal, null],
    ['live', t('board.live'), summary ? inPeoplesHands(summary).live : undefined, useBesideLive(summary)],
    [
      'productive',
      t('board.productive'),
      summary?.seeds.productive,
      summary ? t('board.ofUsed', { count: summary.seeds.used, shown: number(summary.seeds.used) }) : null,
    ],
  ];
  return (
    <dl className="board-figures" aria-busy={summary === null}>
      {figures.map(([key, label, value, beside]) => (
        <div key={key} className="board-figure" data-figure={key}>
          <dt>{label}</dt>
          <dd>
            <div className="board-number">{value === undefined ? '…' : number(value)}</div>
            {beside ? <div className="board-beside">{beside}</div> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function useBesideCompleted({ completed, notTakingPart, target }: FirstTotals): string | null {
  const { t, language } = useDeskText();
  const number = (value: number) => numberOf(value, language);
  const parts = [
    target
      ? t('board.ofTarget', {
          target: number(target),
          percent: number(Math.floor((100 * (completed - notTakingPart)) / target)),
        })
      : '',
    notTakingPart ? t('board.notTakingPart', { count: notTakingPart, shown: number(notTakingPart) }) : '',
  ];
  return parts.filter(Boolean).join(' · ') || null;
}

function useBesideLive(summary: Summary | null): string | null {
  const { t, language } = useDeskText();
  if (!summary) return null;
  const { handedOut } = inPeoplesHands(summary);
  const { unused } = summary.seeds;
  const seeds =
    unused > 0 ? t('board.besideSeeds', { count: unused, shown: numberOf(unused, language) }) : '';
  return `${t('board.ofHandedOut', { count: handedOut, shown: numberOf(handedOut, language) })}${seeds}`;
}
