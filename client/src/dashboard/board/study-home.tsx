/** The home page for people who run the study or a site: progress, followed by everyone's home page. */
import './board.css';
import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import Home from '../../phone/home/home.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import { useLocationName } from '../../session/records.ts';
import { readsAll } from '../../session/rights.ts';
import { useAbility, useReadsAll, useSession } from '../../session/session.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { AsOf } from './as-of.tsx';
import { Alerts } from './board-alerts.tsx';
import {
  boardSummaryRequestPath,
  type Pace,
  paceRequestPath,
  type RecruitmentSummary,
  type SiteRow,
  siteProgressRequestPath,
} from './board-wire.ts';
import { KeyFigureList } from './figures.tsx';
import { PaceText } from './pace/board-pace.tsx';
import { SitesBehindText } from './pace/sites-behind.tsx';

/** Short, so that handled alerts disappear soon. The service caches its answers while nothing changes. */
const REFRESH_MS = 10_000;

const NO_FILTERS = { round: '', location: '', from: '', to: '' };

export default function StudyHome() {
  const { t } = useDashboardText();
  return (
    <Home
      action={
        <Button component={Link} to="/desk/board" fullWidth size="xl">
          {t('studyHome.board')}
        </Button>
      }
      studyStatus={
        <div className="study-home">
          <Head />
          <AlertsSummary />
        </div>
      }
    />
  );
}

/** People at a site see that site's figures; without a site there is nothing to show. */
function useBoardScope(): { all: boolean; site: string | null; enabled: boolean } {
  const all = useReadsAll('Recruitment');
  const site = useSession()?.currentLocation ?? null;
  return { all, site, enabled: all || site !== null };
}

/** What needs attention, without opening the board. */
function AlertsSummary() {
  const { enabled } = useBoardScope();
  const summary = useGet<RecruitmentSummary>(boardSummaryRequestPath(NO_FILTERS), {
    refetchInterval: REFRESH_MS,
    enabled,
  }).data;
  return summary ? <Alerts brief summary={summary} /> : null;
}

function LateSites() {
  const sites = useGet<ListOf<SiteRow>>(siteProgressRequestPath({ location: '', round: '' }), {
    refetchInterval: REFRESH_MS,
  }).data?.data;
  return sites ? <SitesBehindText rows={sites} /> : null;
}

function Head() {
  const { t } = useDashboardText();
  const nameOf = useLocationName();
  const problem = useProblemText();
  const { all, site, enabled } = useBoardScope();
  const pace = useGet<Pace>(paceRequestPath({ location: '', round: '' }), {
    refetchInterval: REFRESH_MS,
    enabled,
  });
  const title = all || !site ? t('studyHome.title') : t('studyHome.site', { site: nameOf(site) });
  return (
    <Card label={title}>
      <Text fw={650} component="h2" size="lg">
        {title}
      </Text>
      {enabled ? null : <Text mt="xs">{t('board.noSite')}</Text>}
      {pace.error && !pace.data ? (
        <Text mt="xs" c="dimmed">
          {problem(pace.error)}
        </Text>
      ) : null}
      {pace.data ? <AsOf onlyOld at={pace.data.asOf} failed={pace.error !== null} /> : null}
      {pace.data ? <PaceSummary pace={pace.data} /> : null}
      {enabled && !pace.data && !pace.error ? <Skeleton height={180} mt="xs" /> : null}
    </Card>
  );
}

/** Before the first interview, there are links to the preparations instead of figures. */
function PaceSummary({ pace }: { pace: Pace }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const offers = {
    results: readsAll(ability, 'Recruitment'),
    seeds: ability.can('create', 'Seed'),
    study: ability.can('update', 'Study'),
  };
  const totals = useGet<RecruitmentSummary>(boardSummaryRequestPath(NO_FILTERS), {
    refetchInterval: REFRESH_MS,
  }).data?.totals;
  // Interviews that don't count were still held.
  const begun = pace.total > 0 || (totals?.surveys ?? 0) > 0;
  const links = begun ? (['results'] as const) : (['seeds', 'study'] as const);
  return (
    <>
      {begun ? <PaceText pace={pace} /> : <p className="pace-words">{t('studyHome.notBegun')}</p>}
      {begun && pace.advice !== 'ROUND_CLOSED' ? <LateSites /> : null}
      {begun ? <Totals pace={pace} totals={totals} /> : null}
      {links
        .filter((label) => offers[label])
        .map((label) => (
          <Anchor key={label} component={Link} to={`/desk/${label}`} className="tall-link" me="md">
            {t(`studyHome.${label}`)}
          </Anchor>
        ))}
    </>
  );
}

function Totals({ pace, totals }: { pace: Pace; totals: RecruitmentSummary['totals'] | undefined }) {
  const { t, counted } = useDashboardText();
  const outside = totals?.notTakingPart ?? 0;
  const beside = outside ? t('board.notTakingPart', counted(outside)) : null;
  const figures = [
    ['today', t('progress.today'), pace.today, null],
    ['completed', t('board.completed'), totals?.completed, beside],
    ['inProgress', t('board.inProgress'), totals?.inProgress, null],
    ['flagged', t('board.flagged'), totals?.flagged, null],
  ] as const;
  return <KeyFigureList figures={figures} plain />;
}
