/** The interviews that this person may see, a page at a time, and said which those are. */
import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { formatCode, parseCode } from '../../../../src/referral-codes/code.ts';
import { ActArea } from '../../desk/act-area.tsx';
import { useChosenColumns } from '../../desk/chosen-columns.tsx';
import { useChosenRows } from '../../desk/chosen-rows.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DownloadList } from '../../desk/download-list.tsx';
import { ExportsLink } from '../../desk/exports-link.tsx';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  SearchFilter,
  SiteFilter,
  useFilters,
} from '../../desk/filters.tsx';
import { KeptViews } from '../../desk/kept-views.tsx';
import { DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { looksLikeCode } from '../../desk/looks-like-code.ts';
import { RarerActs } from '../../desk/rarer-acts.tsx';
import { useSorting } from '../../desk/sorting.ts';
import { useActs } from '../../desk/use-acts.ts';
import { useList } from '../../desk/use-list.tsx';
import { readsAll } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { SurveyRow } from '../../wire.ts';
import { usePersonOptions } from '../people/person-names.ts';
import { NoticesSeen, useInterviewName } from './notices-seen.tsx';
import { RestoreButton } from './restore-button.tsx';
import { useColumns } from './survey-columns.tsx';
import { FLAG_CODES, useFlagText } from './survey-flags.ts';
import { type Reach, useReach } from './surveys-reach.ts';

const NAMES = ['search', 'location', 'status', 'flag', 'createdBy', 'seed', 'from', 'to'] as const;

export default function Surveys() {
  const { t } = useDeskText();
  const filters = useFilters(NAMES);
  const sorting = useSorting(['-createdAt', '-heldAt']);
  const reach = useReach();
  const mayImport = useAbility().can('import', 'Survey');
  const ofThisOnly = filters.values.seed !== '';
  const query = { ...filters.values, sort: sorting.now };
  const listing = useList<SurveyRow>('/api/surveys', {
    ...query,
    cursor: filters.cursor,
    total: 'true',
  });
  const { columns, choice } = useChosenColumns('surveys', useColumns());
  const acts = useActs();
  const chosen = useChosenRows({
    path: '/api/surveys',
    filters: filters.values,
    sort: sorting.now,
    cursor: filters.cursor,
    listing,
    id: ({ id }) => id,
    can: () => true,
    name: useInterviewName(),
  });
  return (
    <DeskPage
      title={t('surveys.title')}
      lead={useLead(reach)}
      beside={
        <>
          <KeptViews list="surveys" />
          {choice}
          <RarerActs>
            <DownloadList name="interviews" columns={columns} from={{ path: '/api/surveys', query }} />
            <ExportsLink />
            {mayImport ? (
              <Button variant="default" component={Link} to="/desk/import">
                {t('rescueImport.open')}
              </Button>
            ) : null}
          </RarerActs>
        </>
      }
    >
      <JustDeleted />
      <Filter filters={filters} reach={reach} />
      <Searched text={filters.values.search} />
      {ofThisOnly ? <OfOneChain seed={filters.values.seed} /> : null}
      <Table
        label={t('surveys.title')}
        listing={listing}
        columns={columns}
        sorting={sorting}
        id={({ id }) => id}
        link={({ id }) => `/desk/surveys/${id}`}
        picked={chosen.picked}
        empty={t(whyNone(filters, reach))}
      />
      <ActArea acts={acts} chosen={chosen}>
        <NoticesSeen surveys={chosen.rows} acts={acts} onStart={chosen.none} />
        <DownloadList
          name="interviews"
          label={t('lists.download')}
          columns={columns}
          from={{ rows: chosen.rows }}
        />
      </ActArea>
      <Pager listing={listing} />
    </DeskPage>
  );
}

/** Whoever has deleted an interview a moment ago can undo that right here. */
function JustDeleted() {
  const { t } = useDeskText();
  const { deleted } = (useLocation().state ?? {}) as { deleted?: string };
  if (!deleted) return null;
  return (
    <Notice tone="good" live title={t('surveys.deleted')}>
      <RestoreButton id={deleted} />
    </Notice>
  );
}

type Filters = ReturnType<typeof useFilters<(typeof NAMES)[number]>>;

/** What the list is of, as far as this person's rules reach. */
function useLead({ todayOnly, sites, everywhere }: Reach): string {
  const { t } = useDeskText();
  if (!todayOnly) return t('surveys.lead');
  if (everywhere) return t('surveys.leadToday');
  const [site, ...others] = sites;
  if (!site) return t('surveys.leadNoSite');
  return others.length > 0 ? t('surveys.leadTodaySome') : t('surveys.leadTodayHere', { site: site.name });
}

/** An empty list must not read as "none were held" where others are only out of sight. */
function whyNone({ any, values }: Filters, { todayOnly, sites }: Reach) {
  if (values.location && !sites.some(({ id }) => id === values.location)) return 'surveys.notThere';
  if (todayOnly) return any ? 'surveys.noneMatchToday' : 'surveys.noneToday';
  return any ? 'surveys.noneMatch' : 'surveys.none';
}

function Filter({ filters, reach }: { filters: Filters; reach: Reach }) {
  const { t } = useDeskText();
  const people = usePersonOptions();
  const flagText = useFlagText();
  const { values, set } = filters;
  const flags = FLAG_CODES.map((code) => ({ value: code, label: flagText(code) }));
  return (
    <FilterBar filters={filters}>
      <SearchFilter
        label={t('lists.search')}
        placeholder={t('lists.searchHint')}
        value={values.search}
        onChange={(value) => set('search', value)}
      />
      {reach.sites.length > 1 || values.location ? (
        <SiteFilter
          value={values.location}
          onChange={(value) => set('location', value)}
          offered={reach.sites}
        />
      ) : null}
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
      {reach.todayOnly ? null : (
        <>
          <DayFilter
            label={t('surveys.arrivedFrom')}
            value={values.from}
            onChange={(value) => set('from', value)}
          />
          <DayFilter
            label={t('surveys.arrivedTo')}
            value={values.to}
            onChange={(value) => set('to', value)}
          />
        </>
      )}
    </FilterBar>
  );
}

function OfOneChain({ seed }: { seed: string }) {
  const { t } = useDeskText();
  const mayTree = readsAll(useAbility(), 'Recruitment');
  return (
    <p style={{ margin: 0 }}>
      {t('surveys.ofOneChain')}{' '}
      {mayTree ? <Link to={`/desk/tree/${seed}`}>{t('surveys.showTree')}</Link> : null}
    </p>
  );
}

/** What the one field was taken for. */
function Searched({ text }: { text: string }) {
  const { t } = useDeskText();
  const code = parseCode(text);
  const isId = /^[0-9a-f]{24}$/i.test(text);
  if (text === '') return null;
  return (
    <p className="desk-note" role="status">
      {code
        ? t('lists.searchedCode', { code: formatCode(code) })
        : isId
          ? t('lists.searchedId')
          : t(looksLikeCode(text) ? 'lists.searchedWrongCode' : 'lists.searchedName', { text })}
    </p>
  );
}
