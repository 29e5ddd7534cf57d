/** The recruitment at a glance: how many, where, how far the chains reach, and what needs a person. */
import './board.css';
import { Text } from '@mantine/core';
import { useDeferredValue } from 'react';
import { withQuery } from '../api.ts';
import { datesAs, numberOf } from '../i18n.ts';
import { FormError } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { useProblemText } from '../problem-text.ts';
import { Alerts } from './board-alerts.tsx';
import { Chains } from './board-chains.tsx';
import { ByDay } from './board-days.tsx';
import { Shapes, WholeStudy } from './board-shapes.tsx';
import { BOARD_FILTERS, inPeoplesHands, type Summary, summaryPath } from './board-wire.ts';
import { useDeskText } from './parts/desk-text.ts';
import { DayFilter, FilterBar, type Filters, SiteFilter, useFilters } from './parts/filters.tsx';
import { Bones, DeskPage } from './parts/list-page.tsx';
import { useGet } from './parts/use-list.tsx';

const EVERY = 5_000;

export default function Board() {
  const { t, language } = useDeskText();
  const problem = useProblemText();
  const filters = useFilters(BOARD_FILTERS);
  const board = useGet<Summary>(summaryPath(filters.values), { every: EVERY });
  const summary = board.data;
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
          label={t('board.from')}
          value={filters.values.from}
          onChange={(value) => filters.set('from', value)}
        />
        <DayFilter
          label={t('board.to')}
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
      {board.isPending ? <Bones label={t('board.title')} rows={12} /> : null}
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
      <Figures summary={summary} />
      <Alerts
        alerts={alerts}
        total={alertsTotal}
        flagged={totals.flagged}
        flaggedAt={withQuery('/desk/surveys', { flag: 'any', ...filters.values })}
      />
      {drawn ? (
        <>
          <ByDay byDay={drawn.byDay} />
          <Shapes summary={drawn} />
          <Chains summary={drawn} />
          {filters.any ? <Text c="dimmed">{t('board.wholeStudy')}</Text> : null}
          <WholeStudy summary={drawn} />
        </>
      ) : null}
    </>
  );
}

function Figures({ summary }: { summary: Summary }) {
  const { totals, seeds, chainsTotal } = summary;
  const { t, language } = useDeskText();
  const number = (value: number) => numberOf(value, language);
  const target = totals.target
    ? t('board.ofTarget', {
        target: number(totals.target),
        percent: number(Math.floor((100 * (totals.completed - totals.notTakingPart)) / totals.target)),
      })
    : null;
  const outside = totals.notTakingPart
    ? t('board.notTakingPart', { count: totals.notTakingPart, shown: number(totals.notTakingPart) })
    : null;
  const ofCompleted = [target, outside].filter(Boolean).join(' · ');
  const { live, handedOut } = inPeoplesHands(summary);
  const unused =
    seeds.unused > 0 ? t('board.besideSeeds', { count: seeds.unused, shown: number(seeds.unused) }) : '';
  const figures: [string, string, number, string | null][] = [
    ['surveys', t('board.surveys'), totals.surveys, null],
    ['completed', t('board.completed'), totals.completed, ofCompleted || null],
    ['inProgress', t('board.inProgress'), totals.inProgress, null],
    ['walkIns', t('board.walkIns'), totals.walkIns, null],
    ['flagged', t('board.flagged'), totals.flagged, null],
    ['chains', t('board.chains'), chainsTotal, null],
    [
      'live',
      t('board.live'),
      live,
      `${t('board.ofHandedOut', { count: handedOut, shown: number(handedOut) })}${unused}`,
    ],
    [
      'productive',
      t('board.productive'),
      seeds.productive,
      t('board.ofUsed', { count: seeds.used, shown: number(seeds.used) }),
    ],
  ];
  return (
    <dl className="board-figures">
      {figures.map(([key, label, value, beside]) => (
        <div key={key} className="board-figure" data-figure={key}>
          <dt>{label}</dt>
          <dd>
            <div className="board-number">{number(value)}</div>
            {beside ? <div className="board-beside">{beside}</div> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
