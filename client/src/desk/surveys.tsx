/** All interviews that this person may see, a page at a time. */
import { Link } from 'react-router';
import { momentOf, numberOf } from '../i18n.ts';
import { CodeText } from '../parts/code-text.tsx';
import { Tag } from '../parts/notice.tsx';
import { useLocationName } from '../records.ts';
import { useAbility } from '../session.tsx';
import type { Survey } from '../wire.ts';
import { useDeskText } from './parts/desk-text.ts';
import { ChoiceFilter, DayFilter, FilterBar, SiteFilter, useFilters } from './parts/filters.tsx';
import { type Column, DeskPage, Pager, Table } from './parts/list-page.tsx';
import { useList } from './parts/use-list.tsx';
import { FLAG_CODES, useFlagText } from './survey-flags.ts';
import { usePersonName, usePersonOptions } from './survey-people.ts';

const NAMES = ['location', 'status', 'flag', 'createdBy', 'seed', 'from', 'to'] as const;

export default function Surveys() {
  const { t, language } = useDeskText();
  const filters = useFilters(NAMES);
  const siteOf = useLocationName();
  const personOf = usePersonName();
  const ofThisOnly = filters.values.seed !== '';
  const listing = useList<Survey>('/api/surveys', {
    ...filters.values,
    cursor: filters.cursor,
    total: 'true',
  });
  const columns: Column<Survey>[] = [
    { head: t('surveys.received'), cell: ({ createdAt }) => momentOf(createdAt, language) },
    { head: t('common.site'), cell: ({ location }) => siteOf(location), roomy: true },
    { head: t('surveys.interviewer'), cell: ({ createdBy }) => personOf(createdBy) },
    { head: t('surveys.coupon'), cell: (survey) => <Coupon survey={survey} /> },
    {
      head: t('tree.waveWord'),
      cell: ({ wave }) => (wave === null ? '–' : numberOf(wave, language)),
      numeric: true,
    },
    {
      head: t('surveys.networkSize'),
      cell: ({ networkSize }) => (networkSize === null ? '–' : numberOf(networkSize, language)),
      numeric: true,
    },
    { head: t('common.status'), cell: (survey) => <State survey={survey} /> },
  ];
  return (
    <DeskPage title={t('surveys.title')} lead={t('surveys.lead')}>
      <Filter filters={filters} />
      {ofThisOnly ? <OfOneChain seed={filters.values.seed} /> : null}
      <Table
        label={t('surveys.title')}
        listing={listing}
        columns={columns}
        id={({ id }) => id}
        link={({ id }) => `/desk/surveys/${id}`}
        empty={filters.any ? t('surveys.noneMatch') : t('surveys.none')}
      />
      <Pager listing={listing} />
    </DeskPage>
  );
}

function Filter({ filters }: { filters: ReturnType<typeof useFilters<(typeof NAMES)[number]>> }) {
  const { t } = useDeskText();
  const people = usePersonOptions();
  const flagText = useFlagText();
  const { values, set } = filters;
  const flags = FLAG_CODES.map((code) => ({ value: code, label: flagText(code) }));
  return (
    <FilterBar filters={filters}>
      <SiteFilter value={values.location} onChange={(value) => set('location', value)} />
      <ChoiceFilter
        label={t('common.status')}
        value={values.status}
        onChange={(value) => set('status', value)}
        options={(['COMPLETED', 'IN_PROGRESS'] as const).map((value) => ({
          value,
          label: t(`surveys.${value}`),
        }))}
      />
      <ChoiceFilter
        label={t('surveys.flags')}
        value={values.flag}
        onChange={(value) => set('flag', value)}
        options={[{ value: 'any', label: t('surveys.anyFlag') }, ...flags]}
      />
      <ChoiceFilter
        label={t('surveys.interviewer')}
        value={values.createdBy}
        onChange={(value) => set('createdBy', value)}
        options={people}
      />
      <DayFilter label={t('board.from')} value={values.from} onChange={(value) => set('from', value)} />
      <DayFilter label={t('board.to')} value={values.to} onChange={(value) => set('to', value)} />
    </FilterBar>
  );
}

function OfOneChain({ seed }: { seed: string }) {
  const { t } = useDeskText();
  const mayTree = useAbility().can('read', 'Recruitment');
  return (
    <p style={{ margin: 0 }}>
      {t('surveys.ofOneChain')}{' '}
      {mayTree ? <Link to={`/desk/tree/${seed}`}>{t('surveys.showTree')}</Link> : null}
    </p>
  );
}

function Coupon({ survey }: { survey: Survey }) {
  const { t } = useDeskText();
  return survey.referralCode ? <CodeText code={survey.referralCode} /> : t('surveys.walkIn');
}

function State({ survey }: { survey: Survey }) {
  const { t } = useDeskText();
  if (survey.flags.length > 0) return <Tag tone="warn">{t('surveys.flagged')}</Tag>;
  if (survey.status === 'IN_PROGRESS') return <Tag tone="info">{t('surveys.IN_PROGRESS')}</Tag>;
  return t('surveys.COMPLETED');
}
