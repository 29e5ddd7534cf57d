/** The recruitment at a glance: how many, where, how far the chains reach, and what needs a person. */
import './board.css';
import { Text } from '@mantine/core';
import { momentOf, numberOf } from '../i18n.ts';
import { CodeText } from '../parts/code-text.tsx';
import { FormError } from '../parts/form.tsx';
import { Notice, Tag } from '../parts/notice.tsx';
import { Card } from '../parts/page.tsx';
import { useLocationName } from '../records.ts';
import { useProblemText } from '../problem-text.ts';
import { Alerts } from './board-alerts.tsx';
import { Bars } from './board-bars.tsx';
import { ByDay } from './board-days.tsx';
import type { ChainRow, Summary } from './board-wire.ts';
import { useDeskText } from './parts/desk-text.ts';
import { DayFilter, FilterBar, SiteFilter, useFilters } from './parts/filters.tsx';
import { Bones, type Column, DeskPage, Table } from './parts/list-page.tsx';
import { useGet, withQuery } from './parts/use-list.tsx';

const EVERY = 5_000;
/** Beyond this many lines a picture stops telling anything; the rest goes into the last one. */
const LINES = 14;

export default function Board() {
  const { t, language } = useDeskText();
  const problem = useProblemText();
  const filters = useFilters(['location', 'from', 'to']);
  const board = useGet<Summary>(withQuery('/api/recruitment/summary', filters.values), { every: EVERY });
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
        <DayFilter label={t('board.from')} value={filters.values.from} onChange={(value) => filters.set('from', value)} />
        <DayFilter label={t('board.to')} value={filters.values.to} onChange={(value) => filters.set('to', value)} />
      </FilterBar>
      {board.error && !summary ? <FormError error={board.error} /> : null}
      {board.error && summary ? <Notice tone="warn" title={t('common.old')}>{problem(board.error)}</Notice> : null}
      {board.isPending ? <Bones label={t('board.title')} rows={12} /> : null}
      {summary ? <Numbers summary={summary} narrowed={filters.any} /> : null}
    </DeskPage>
  );
}

const timeWithSeconds = (at: string, language: string) =>
  new Intl.DateTimeFormat(language, { timeStyle: 'medium' }).format(new Date(at));

function Numbers({ summary, narrowed }: { summary: Summary; narrowed: boolean }) {
  const { t } = useDeskText();
  return (
    <>
      <Figures summary={summary} />
      <Alerts alerts={summary.alerts} total={summary.alertsTotal} />
      <ByDay byDay={summary.byDay} />
      <Shapes summary={summary} />
      <Chains summary={summary} />
      {narrowed ? <Text c="dimmed">{t('board.wholeStudy')}</Text> : null}
      <WholeStudy summary={summary} />
    </>
  );
}

function Figures({ summary: { totals, seeds, coupons } }: { summary: Summary }) {
  const { t, language } = useDeskText();
  const number = (value: number) => numberOf(value, language);
  const target = totals.target
    ? t('board.ofTarget', {
        target: number(totals.target),
        percent: number(Math.floor((100 * totals.completed) / totals.target)),
      })
    : null;
  const came = coupons.live + coupons.returned + coupons.expired;
  const figures: [string, string, number, string | null][] = [
    ['surveys', t('board.surveys'), totals.surveys, null],
    ['completed', t('board.completed'), totals.completed, target],
    ['inProgress', t('board.inProgress'), totals.inProgress, null],
    ['walkIns', t('board.walkIns'), totals.walkIns, null],
    ['flagged', t('board.flagged'), totals.flagged, null],
    ['live', t('board.live'), coupons.live, t('board.ofHandedOut', { count: came, shown: number(came) })],
    ['productive', t('board.productive'), seeds.productive, t('board.ofUsed', { count: seeds.used, shown: number(seeds.used) })],
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

/** The first lines as they are, and one for the rest. */
function firstOf<T>(rows: T[], value: (row: T) => number, label: (row: T) => string, rest: (row: T) => string) {
  const bars = rows.map((row) => ({ key: label(row), label: label(row), value: value(row) }));
  if (bars.length <= LINES) return bars;
  const last = rows[LINES - 1];
  const sum = bars.slice(LINES - 1).reduce((all, bar) => all + bar.value, 0);
  return [...bars.slice(0, LINES - 1), { key: 'rest', label: last ? rest(last) : '', value: sum }];
}

function Shapes({ summary }: { summary: Summary }) {
  const { t } = useDeskText();
  const orMore = (count: number) => t('board.orMore', { count });
  return (
    <div className="board-grid">
      <Bars
        title={t('board.waves')}
        what={[t('tree.waveWord'), t('board.surveys')]}
        bars={firstOf(
          summary.waves,
          ({ surveys }) => surveys,
          ({ wave }) => (wave === null ? t('board.waveUnknown') : t('tree.wave', { wave })),
          ({ wave }) => orMore(wave ?? 0),
        )}
      />
      <Bars
        title={t('board.chainLengths')}
        what={[t('board.lastWave'), t('board.chains')]}
        colour="#3f6fd1"
        bars={firstOf(
          summary.chainLengths,
          ({ chains }) => chains,
          ({ maxWave }) => t('board.toWave', { wave: maxWave }),
          ({ maxWave }) => orMore(maxWave),
        )}
        note={t('board.chainLengthsWhat')}
      />
      <Bars
        title={t('board.recruitsEach')}
        what={[t('tree.recruits'), t('board.surveys')]}
        colour="#8a5cd6"
        bars={firstOf(
          summary.recruitsEach,
          ({ surveys }) => surveys,
          ({ recruits }) => t('board.recruits', { count: recruits }),
          ({ recruits }) => orMore(recruits),
        )}
        note={t('board.recruitsEachWhat')}
      />
    </div>
  );
}

function WholeStudy({ summary }: { summary: Summary }) {
  const { t, language } = useDeskText();
  const siteOf = useLocationName();
  const { coupons, seeds, bySiteCoupons, daysToReturn } = summary;
  const orMore = (count: number) => t('board.orMore', { count });
  const percent = (part: number, whole: number) =>
    new Intl.NumberFormat(language, { style: 'percent' }).format(whole === 0 ? 0 : part / whole);
  const bar = (key: 'reserved' | 'live' | 'returned' | 'expired' | 'void') => ({
    key,
    label: t(`board.coupon.${key}`),
    value: coupons[key],
  });
  const seed = (key: 'planned' | 'walkIn' | 'used' | 'unused' | 'productive') => ({
    key,
    label: t(`board.seed.${key}`),
    value: seeds[key],
  });
  return (
    <div className="board-grid">
      <Bars
        title={t('board.coupons')}
        what={[t('common.status'), t('board.coupons')]}
        bars={(['live', 'returned', 'expired', 'reserved', 'void'] as const).map(bar)}
        note={t('board.couponsWhat')}
      />
      <Bars
        title={t('board.daysToReturn')}
        what={[t('board.daysWord'), t('board.coupons')]}
        colour="#c2560a"
        bars={firstOf(
          daysToReturn,
          ({ coupons: count }) => count,
          ({ days }) => t('board.days', { count: days }),
          ({ days }) => orMore(days),
        )}
        note={t('board.daysToReturnWhat')}
      />
      <Bars
        title={t('board.seeds')}
        what={[t('common.type'), t('board.seeds')]}
        colour="#7d7a00"
        bars={(['planned', 'walkIn', 'used', 'unused', 'productive'] as const).map(seed)}
        note={t('board.seedsWhat')}
      />
      <Bars
        title={t('board.bySite')}
        what={[t('common.site'), t('board.coupon.returned')]}
        colour="#3f6fd1"
        bars={bySiteCoupons.map(({ location, issued, returned }) => ({
          key: location,
          label: siteOf(location),
          value: returned,
          of: issued,
          note: t('board.ofIssued', { issued: numberOf(issued, language), percent: percent(returned, issued) }),
        }))}
        note={t('board.bySiteWhat')}
      />
    </div>
  );
}

function Chains({ summary }: { summary: Summary }) {
  const { t, language } = useDeskText();
  const siteOf = useLocationName();
  const columns: Column<ChainRow>[] = [
    { head: t('tree.seed'), cell: ({ referralCode }) => <CodeText code={referralCode} /> },
    { head: t('common.site'), cell: ({ location }) => siteOf(location) },
    { head: t('common.type'), cell: ({ kind }) => t(`board.kind.${kind}`) },
    { head: t('board.surveys'), cell: ({ surveys }) => numberOf(surveys, language), numeric: true },
    { head: t('board.lastWave'), cell: ({ maxWave }) => numberOf(maxWave, language), numeric: true },
    { head: t('board.liveCoupons'), cell: ({ liveCoupons }) => numberOf(liveCoupons, language), numeric: true },
    { head: t('board.last'), cell: ({ lastAt }) => momentOf(lastAt, language) },
    {
      head: t('common.status'),
      cell: ({ productive }) => (
        <Tag tone={productive ? 'good' : 'info'}>{t(productive ? 'board.isProductive' : 'board.isOver')}</Tag>
      ),
    },
  ];
  const { chains, chainsTotal } = summary;
  return (
    <Card label={t('board.largest')}>
      <h2 style={{ marginBottom: 10 }}>{t('board.largest')}</h2>
      {chainsTotal > chains.length ? (
        <p className="bars-note">
          {t('board.largestOf', { shown: numberOf(chains.length, language), all: numberOf(chainsTotal, language) })}
        </p>
      ) : null}
      <Table
        label={t('board.largest')}
        listing={{ rows: chains, nextCursor: null, total: null, stale: false, error: null, again: () => undefined }}
        columns={columns}
        id={({ seed }) => seed}
        link={({ seed }) => `/desk/tree/${seed}`}
        empty={t('board.nothing')}
      />
    </Card>
  );
}
