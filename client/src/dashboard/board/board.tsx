/** Recruitment at a glance: how many interviews, where, how far the chains reach, and what needs attention. */
import './board.css';
import { Anchor } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { readsAll } from '../../session/rights.ts';
import { useAbility, useSession } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ExportsLink } from '../kit/buttons/exports-link.tsx';
import { useSelectedRound } from '../kit/data/rounds.ts';
import { StagedRender } from '../kit/data/staged-render.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import { type ListFilters, useFilters } from '../kit/list/address.ts';
import { DashboardPage, PendingContent, StaleDataNotice } from '../kit/list/dashboard-page.tsx';
import { DayFilter, SiteChoice } from '../kit/list/filter-fields.tsx';
import { FilterBar } from '../kit/list/filters.tsx';
import { RoundSelect, SelectedRoundClosedNotice } from '../kit/list/round-select.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { AsOf } from './as-of.tsx';
import { Alerts } from './board-alerts.tsx';
import { BoardChains } from './board-chains.tsx';
import { AcrossSitesFigures, RecruitmentDistributions } from './board-distributions.tsx';
import {
  boardSummaryRequestPath,
  type FullRecruitmentSummary,
  handedOutCouponTotals,
  isFullSummary,
  RECRUITMENT_FILTERS,
  type RecruitmentSummary,
} from './board-wire.ts';
import { InterviewsByDay } from './days/board-days.tsx';
import { type BoardFigure, KeyFigureList } from './figures.tsx';
import { PaceCard } from './pace/board-pace.tsx';
import { Interviewers, SiteProgressTable } from './pace/board-progress.tsx';
import { TomorrowCard } from './pace/board-tomorrow.tsx';

const REFRESH_MS = 5_000;

export default function RecruitmentBoardPage() {
  const { t } = useDashboardText();
  const filters = useFilters(RECRUITMENT_FILTERS);
  const board = useGet<RecruitmentSummary>(boardSummaryRequestPath(filters.values), {
    refetchInterval: REFRESH_MS,
  });
  const summary = board.data;
  const ability = useAbility();
  const noSite = useSession()?.currentLocation === null && !readsAll(ability, 'Recruitment');
  if (noSite)
    return (
      <DashboardPage title={t('board.title')}>
        <Notice tone="info" title={t('board.noSite')} />
      </DashboardPage>
    );
  return (
    <DashboardPage
      title={t('board.title')}
      lead={t('board.lead')}
      besideTitle={
        <>
          <RoundSelect />
          {summary && isFullSummary(summary) ? (
            <SiteChoice
              value={filters.values.location}
              onChange={(value) => filters.set('location', value)}
            />
          ) : null}
          <Anchor component={Link} to="/desk/devices" className="tall-link">
            {t('devices.title')}
          </Anchor>
          <ExportsLink />
          {summary ? <AsOf at={summary.asOf} failed={board.error !== null} /> : null}
        </>
      }
    >
      {summary ? (
        <>
          <SelectedRoundClosedNotice />
          <StaleDataNotice error={board.error} />
          <Numbers summary={summary} filters={filters} />
        </>
      ) : (
        <PendingContent error={board.error} label={t('board.title')} rows={12} />
      )}
    </DashboardPage>
  );
}

/** In the order someone checks in the morning: what to do, progress, problems, then the rest. */
function Numbers({ summary, filters }: { summary: RecruitmentSummary; filters: ListFilters<string> }) {
  const { t } = useDashboardText();
  const location = filters.values.location ?? '';
  const isClosed = useSelectedRound()?.state === 'CLOSED';
  // The numbers render first, the charts when there is time.
  const drawn = useDeferredValue(summary, null);
  return (
    <>
      {/* A closed round has no alerts or forecasts. */}
      {isClosed ? null : (
        <>
          <Alerts summary={summary} within={listedWithin(filters.values)} narrowed={filters.any} />
          <PaceCard location={location} enabled={drawn !== null} />
          <TomorrowCard location={location} open={drawn !== null} />
        </>
      )}
      {drawn ? (
        <div className="board-progress">
          <StagedRender>
            <SiteProgressTable location={location} enabled summary={drawn} />
            <Interviewers key={location} location={location} enabled />
          </StagedRender>
        </div>
      ) : null}
      <div className="board-head">
        <h2>{t('board.ofDays')}</h2>
        <Days filters={filters} />
      </div>
      <Totals summary={summary} />
      {drawn ? (
        <StagedRender>
          <Fold title={t('board.byDay')}>
            <InterviewsByDay byDay={drawn.byDay} />
          </Fold>
          {isFullSummary(drawn) ? <AcrossSites summary={drawn} narrowed={filters.any} /> : null}
        </StagedRender>
      ) : null}
    </>
  );
}

/** Filters only what is below: the tables above have their own days. */
function Days({ filters }: { filters: ListFilters<string> }) {
  const { t } = useDashboardText();
  const { from = '', to = '' } = filters.values;
  const clear = () => {
    filters.set('from', '');
    filters.set('to', '');
  };
  return (
    <FilterBar filters={{ any: from !== '' || to !== '', clear }}>
      <DayFilter label={t('board.heldFrom')} value={from} onChange={(value) => filters.set('from', value)} />
      <DayFilter label={t('board.heldTo')} value={to} onChange={(value) => filters.set('to', value)} />
    </FilterBar>
  );
}

function AcrossSites({ summary, narrowed }: { summary: FullRecruitmentSummary; narrowed: boolean }) {
  const { t } = useDashboardText();
  return (
    <StagedRender>
      <Fold title={t('board.largest')}>
        <BoardChains summary={summary} />
      </Fold>
      <Fold title={t('board.shapes')}>
        {narrowed ? <p className="note">{t('board.wholeStudy')}</p> : null}
        <div className="dashboard-cards" style={{ columns: '4 290px' }}>
          <RecruitmentDistributions summary={summary} />
          <AcrossSitesFigures summary={summary} />
        </div>
      </Fold>
    </StagedRender>
  );
}

/**
 * The lists filter by day of arrival, the board by day of interview. An interview never arrives before its day, so
 * `from` carries over, but `to` doesn't.
 */
const listedWithin = ({ location, from }: ListFilters<string>['values']) => ({ location, from });

function Totals({ summary }: { summary: RecruitmentSummary }) {
  const { totals } = summary;
  const { t, counted } = useDashboardText();
  const crossing = useFiguresAcrossSites(summary);
  const outside = [
    totals.notTakingPart ? t('board.notTakingPart', counted(totals.notTakingPart)) : null,
    totals.rejected ? t('board.rejected', counted(totals.rejected)) : null,
  ].filter(Boolean);
  const figures: BoardFigure[] = [
    ['surveys', t('board.surveys'), totals.surveys, null],
    [
      'completed',
      t('board.completed'),
      totals.completed,
      outside.length > 0 ? outside.map((text) => <div key={text}>{text}</div>) : null,
    ],
    ['inProgress', t('board.inProgress'), totals.inProgress, null],
    ['flagged', t('board.flagged'), totals.flagged, null],
    ...crossing,
  ];
  return <KeyFigureList figures={figures} />;
}

/** Figures that are only available for all sites together. */
function useFiguresAcrossSites(summary: RecruitmentSummary): BoardFigure[] {
  const { t, number, counted } = useDashboardText();
  const whole = isFullSummary(summary) ? summary : null;
  const besideLive = useHandedOutNote(whole);
  if (!whole) return [];
  const { used, silent } = whole.seeds;
  return [
    ['walkIns', t('board.walkIns'), whole.totals.walkIns, null],
    ['chains', t('board.chains'), whole.chainsTotal, t('board.chainsBeside')],
    ['live', t('board.live'), handedOutCouponTotals(whole).live, besideLive],
    [
      'productive',
      t('board.productive'),
      whole.seeds.productive,
      <>
        {t('board.ofUsed', counted(used))}
        {silent > 0 ? (
          <div>
            <Anchor component={Link} inherit to="/desk/seeds?chain=SILENT" className="tall-link">
              {t('board.besideSilent', { shown: number(silent) })}
            </Anchor>
          </div>
        ) : null}
      </>,
    ],
  ];
}

function useHandedOutNote(summary: FullRecruitmentSummary | null): string | null {
  const { t, counted } = useDashboardText();
  if (!summary) return null;
  const { handedOut } = handedOutCouponTotals(summary);
  const { unused } = summary.seeds;
  const seeds = unused > 0 ? t('board.besideSeeds', counted(unused)) : '';
  return `${t('board.ofHandedOut', counted(handedOut))}${seeds}`;
}

/** A section of the board: open on a wide screen, folded on a phone. */
function Fold({ title, children }: { title: string; children: ReactNode }) {
  const roomy = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? roomy;
  return (
    <details
      className="board-fold"
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== open) setChosen(currentTarget.open);
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      {open ? <div className="board-folded">{children}</div> : null}
    </details>
  );
}
