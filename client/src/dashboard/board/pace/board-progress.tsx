/** One row per site, those behind first, and one per interviewer. */
import { useState } from 'react';
import { Link } from 'react-router';
import { useLocationName } from '../../../session/records.ts';
import { useAbility } from '../../../session/session.tsx';
import { dateFormatter } from '../../../texts/i18n.ts';
import { Tag } from '../../../ui/notice.tsx';
import type { ListOf } from '../../../wire.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import { useRoundParam } from '../../kit/data/rounds.ts';
import { useGet } from '../../kit/data/use-list.tsx';
import type { ListColumn } from '../../kit/list/columns.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import {
  type InterviewerRow,
  interviewersRequestPath,
  type RecruitmentSummary,
  type SiteRow,
  siteProgressRequestPath,
} from '../board-wire.ts';
import { ProgressTable } from './progress-table.tsx';
import { isSiteBelowUsual, SitesBehindText } from './sites-behind.tsx';

const REFRESH_MS = 30_000;

const shortMoment = dateFormatter({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });

interface AtSite {
  location: string;
  enabled: boolean;
}

export function SiteProgressTable({ location, enabled, summary }: AtSite & { summary: RecruitmentSummary }) {
  const { t, number, language } = useDashboardText();
  const siteOf = useLocationName();
  const round = useRoundParam();
  const rows = useGet<ListOf<SiteRow>>(siteProgressRequestPath({ location, round }), {
    refetchInterval: REFRESH_MS,
    enabled,
  }).data?.data;
  if (!rows || rows.length === 0) return null;
  const columns: ListColumn<SiteRow>[] = [
    { field: 'today', as: 'number', head: t('progress.today') },
    { field: 'last7', as: 'number', head: t('progress.last7') },
    { field: 'before7', as: 'number', head: t('progress.before7') },
    {
      head: t('progress.weeks'),
      cell: (row) => <LastWeeks byDay={summary.byDay} site={row.location} />,
    },
    { field: 'total', as: 'number', head: t('progress.total') },
    // A share of all sites, which people who only read one site don't get.
    ...(rows.some(({ share }) => share !== null)
      ? [{ field: 'share', as: 'percent', head: t('progress.share') } as const]
      : []),
    {
      head: t('progress.last'),
      cell: ({ lastAt }) => (lastAt ? shortMoment(lastAt, language) : '–'),
    },
    {
      head: t('progress.coupons'),
      cell: ({ issued, returned }) => t('progress.of', { part: number(returned), whole: number(issued) }),
    },
    { field: 'refusals', as: 'number', head: t('progress.refusals') },
    { field: 'interviewers', as: 'number', head: t('progress.interviewers') },
  ];
  return (
    <ProgressTable
      title={t('progress.sites')}
      lead={<SitesBehindText rows={rows} />}
      note={t('progress.sitesWhat')}
      rows={rows}
      id={({ location: site }) => site}
      nameHead={t('common.site')}
      name={(row) => (
        <>
          <Link to={`/desk/surveys?location=${row.location}`}>{siteOf(row.location)}</Link>{' '}
          {isSiteBelowUsual(row) ? <Tag tone="warn">{t('progress.behind')}</Tag> : null}
        </>
      )}
      columns={columns}
      few={6}
    />
  );
}

export function Interviewers({ location, enabled }: AtSite) {
  const { t } = useDashboardText();
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const round = useRoundParam();
  const { data: { data: rows, nextCursor } = {} } = useGet<ListOf<InterviewerRow>>(
    interviewersRequestPath({ location, round }, cursor),
    { refetchInterval: REFRESH_MS, enabled },
  );
  const opens = useAbility().can('list', 'User');
  if (!rows || (rows.length === 0 && !cursor)) return null;
  const columns: ListColumn<InterviewerRow>[] = [
    { field: 'today', as: 'number', head: t('progress.today') },
    { field: 'last7', as: 'number', head: t('progress.last7') },
    { field: 'interviews', as: 'number', head: t('progress.total') },
    { field: 'medianMinutes', as: 'number', head: t('progress.minutes') },
    { field: 'refusals', as: 'number', head: t('progress.refusals') },
    { field: 'rejected', as: 'number', head: t('progress.rejected') },
    { field: 'skippedShare', as: 'percent', head: t('progress.skipped') },
    { field: 'flags', as: 'number', head: t('progress.flags') },
  ];
  return (
    <ProgressTable
      title={t('progress.people')}
      note={t('progress.peopleWhat')}
      rows={rows}
      id={({ id }) => id}
      nameHead={t('common.who')}
      name={({ id, name }) =>
        name && opens ? <Link to={`/desk/people/${id}`}>{name}</Link> : (name ?? t('progress.someone'))
      }
      columns={columns}
      few={6}
    >
      {cursor || nextCursor ? (
        <nav className="dashboard-pager" aria-label={t('progress.people')}>
          <PlainButton
            label={t('common.previous')}
            size="md"
            onClick={() => setCursors(cursors.slice(0, -1))}
            {...inactiveProps(!cursor)}
          />
          <PlainButton
            label={t('common.next')}
            size="md"
            onClick={() => nextCursor && setCursors([...cursors, nextCursor])}
            {...inactiveProps(!nextCursor)}
          />
        </nav>
      ) : null}
    </ProgressTable>
  );
}

const DAY_MS = 86_400_000;
const numberOfDay = (day: string) => Date.parse(day) / DAY_MS;
const DAYS_SHOWN = 28;
const HEIGHT = 20;
const BAR = 3;

/** One site's interviews on each of the last 28 days; the columns next to it have the same as numbers. */
function LastWeeks({ byDay, site }: { byDay: RecruitmentSummary['byDay']; site: string }) {
  const last = numberOfDay(byDay.at(-1)?.day ?? '1970-01-01');
  const counts = new Map<number, number>();
  for (const { day, location, surveys } of byDay)
    if (location === site) counts.set(DAYS_SHOWN - 1 - (last - numberOfDay(day)), surveys);
  const visibleDays = [...counts].filter(([at]) => at >= 0);
  const max = Math.max(1, ...visibleDays.map(([, count]) => count));
  return (
    <svg className="sparkline" width={DAYS_SHOWN * BAR} height={HEIGHT} aria-hidden="true">
      {visibleDays.map(([at, count]) => (
        <rect
          key={at}
          x={at * BAR}
          y={HEIGHT - (HEIGHT * count) / max}
          width={BAR - 1}
          height={(HEIGHT * count) / max}
        />
      ))}
    </svg>
  );
}
