/** A row for each site, those that fall behind first, and one for each person who interviewed. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useDeskText } from '../../desk/desk-text.ts';
import { idleWhile } from '../../desk/idle.ts';
import { useGet } from '../../desk/use-list.tsx';
import { datesAs, numberOf, tagOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { useAbility } from '../../session.tsx';
import { Tag } from '../../ui/notice.tsx';
import type { ListOf } from '../../wire.ts';
import { BehindWords, fallsBehind } from './behind-words.tsx';
import {
  type InterviewerRow,
  interviewersPath,
  type SiteRow,
  type Summary,
  sitesPath,
} from './board-wire.ts';
import { type Column, ProgressTable } from './progress-table.tsx';
import { LastWeeks } from './sparkline.tsx';

const EVERY = 30_000;

const shortMoment = datesAs({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });

interface AtSite {
  location: string;
  open: boolean;
}

/** Numbers, and shares with what they are a share of in the heading. */
function useNumbers() {
  const { language } = useDeskText();
  const percents = new Intl.NumberFormat(tagOf(language), { style: 'percent' });
  return {
    number: (value: number | null) => (value === null ? '–' : numberOf(value, language)),
    percent: (share: number | null) => (share === null ? '–' : percents.format(share)),
    moment: (at: string | null) => (at ? shortMoment(at, language) : '–'),
  };
}

export function Sites({ location, open, summary }: AtSite & { summary: Summary }) {
  const { t } = useDeskText();
  const siteOf = useLocationName();
  const { number, percent, moment } = useNumbers();
  const rows = useGet<ListOf<SiteRow>>(sitesPath(location), { counted: true, every: EVERY, open }).data?.data;
  if (!rows || rows.length === 0) return null;
  const columns: Column<SiteRow>[] = [
    { head: t('progress.today'), cell: ({ today }) => number(today) },
    { head: t('progress.last7'), cell: ({ last7 }) => number(last7) },
    { head: t('progress.before7'), cell: ({ before7 }) => number(before7) },
    {
      head: t('progress.weeks'),
      cell: (row) => <LastWeeks byDay={summary.byDay} site={row.location} />,
    },
    { head: t('progress.total'), cell: ({ total }) => number(total) },
    // Of all sites: not told to who reads one alone.
    ...(rows.some(({ share }) => share !== null)
      ? [{ head: t('progress.share'), cell: ({ share }: SiteRow) => percent(share) }]
      : []),
    { head: t('progress.last'), cell: ({ lastAt }) => moment(lastAt) },
    {
      head: t('progress.coupons'),
      cell: ({ issued, returned }) => t('progress.of', { part: number(returned), whole: number(issued) }),
    },
    { head: t('progress.refusals'), cell: ({ refusals }) => number(refusals) },
    { head: t('progress.interviewers'), cell: ({ interviewers }) => number(interviewers) },
  ];
  return (
    <ProgressTable
      title={t('progress.sites')}
      lead={<BehindWords rows={rows} />}
      note={t('progress.sitesWhat')}
      rows={rows}
      id={({ location: site }) => site}
      nameHead={t('common.site')}
      name={(row) => (
        <>
          <Link to={`/desk/surveys?location=${row.location}`}>{siteOf(row.location)}</Link>{' '}
          {fallsBehind(row) ? <Tag tone="warn">{t('progress.behind')}</Tag> : null}
        </>
      )}
      columns={columns}
      few={6}
    />
  );
}

export function Interviewers({ location, open }: AtSite) {
  const { t } = useDeskText();
  const { number, percent } = useNumbers();
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const { data: { data: rows, nextCursor } = {} } = useGet<ListOf<InterviewerRow>>(
    interviewersPath(location, cursor),
    { counted: true, every: EVERY, open },
  );
  const opens = useAbility().can('list', 'User');
  if (!rows || (rows.length === 0 && !cursor)) return null;
  const columns: Column<InterviewerRow>[] = [
    { head: t('progress.today'), cell: ({ today }) => number(today) },
    { head: t('progress.last7'), cell: ({ last7 }) => number(last7) },
    { head: t('progress.total'), cell: ({ interviews }) => number(interviews) },
    { head: t('progress.minutes'), cell: ({ medianMinutes }) => number(medianMinutes) },
    { head: t('progress.refusals'), cell: ({ refusals }) => number(refusals) },
    { head: t('progress.skipped'), cell: ({ skippedShare }) => percent(skippedShare) },
    { head: t('progress.flags'), cell: ({ flags }) => number(flags) },
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
        <nav className="desk-pager" aria-label={t('progress.people')}>
          <Button
            variant="default"
            size="md"
            onClick={() => setCursors(cursors.slice(0, -1))}
            {...idleWhile(!cursor)}
          >
            {t('common.previous')}
          </Button>
          <Button
            variant="default"
            size="md"
            onClick={() => nextCursor && setCursors([...cursors, nextCursor])}
            {...idleWhile(!nextCursor)}
          >
            {t('common.next')}
          </Button>
        </nav>
      ) : null}
    </ProgressTable>
  );
}
