/** Who did what when, in words, and what it was before. */
import { Link } from 'react-router';
import { AUDITED, type Audited } from '../../../../src/rights/names.ts';
import { useChosenColumns } from '../../desk/chosen-columns.tsx';
import { useDeskText } from '../../desk/desk-text.ts';
import { DownloadList } from '../../desk/download-list.tsx';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  SearchFilter,
  SiteFilter,
  useFilters,
} from '../../desk/filters.tsx';
import { KeptViews } from '../../desk/kept-views.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { plainMomentOf, shortMomentOf } from '../../desk/moment.ts';
import { useSorting } from '../../desk/sorting.ts';
import { useList } from '../../desk/use-list.tsx';
import type { AuditEvent } from '../../desk/wire.ts';
import { useLocationName } from '../../records.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Changes, useChangesText } from '../history/changes.tsx';
import { kindOf } from '../history/event-kind.ts';
import { type Act, actsOf } from '../history/one-act.ts';
import { useRecordName } from '../history/record-name.ts';
import { useDoer, useSentence } from '../history/sentence.ts';
import { usePersonOptions } from '../people/person-names.ts';
import { RestoreButton } from '../surveys/restore-button.tsx';

const ACTIONS = ['create', 'update', 'delete', 'download', 'check'] as const;
const NAMES = ['by', 'record', 'location', 'code', 'subject', 'action', 'from', 'to'] as const;
const ID = /^[0-9a-f]{24}$/i;

export default function Audit() {
  const { t } = useDeskText();
  const filters = useFilters(NAMES);
  const { record } = filters.values;
  const sorting = useSorting(['-createdAt']);
  const query = { ...filters.values, record: ID.test(record) ? record : undefined, sort: sorting.now };
  // Of the interview itself nothing is known here, so only a right that asks nothing of it is one.
  const mayRestore = useAbility().can('delete', asRecord('Survey', {}));
  const listing = useList<AuditEvent>('/api/audit', { ...query, cursor: filters.cursor }, { every: 10_000 });
  const { columns, choice } = useChosenColumns('history', useColumns());
  const nameOf = useRecordName();
  return (
    <DeskPage
      title={t('audit.title')}
      lead={t('audit.lead')}
      beside={
        <>
          <KeptViews list="history" />
          {choice}
          <DownloadList name="history" columns={columns} from={{ path: '/api/audit', query }} />
        </>
      }
    >
      <Filter filters={filters} rows={listing.rows ?? []} />
      <Table
        label={t('audit.title')}
        listing={{ ...listing, rows: listing.rows && actsOf(listing.rows) }}
        columns={columns}
        sorting={sorting}
        id={({ id }) => id}
        actions={({ subject, action, record: id, names }) =>
          mayRestore && subject === 'Survey' && action === 'delete' && names[id]?.deleted !== false ? (
            <RestoreButton id={id} about={nameOf(names, id)} />
          ) : null
        }
        empty={filters.any ? t('audit.noneMatch') : t('audit.none')}
      />
      <Pager listing={listing} />
    </DeskPage>
  );
}

function useColumns(): Column<Act>[] {
  const { t, language } = useDeskText();
  const doerOf = useDoer();
  const sentenceOf = useSentence();
  const siteOf = useLocationName();
  const changesOf = useChangesText();
  return [
    {
      head: t('audit.when'),
      cell: ({ at }) => shortMomentOf(at, language),
      text: ({ at }) => plainMomentOf(at),
      sort: 'createdAt',
      oneLine: true,
    },
    { name: 'who', head: t('common.who'), cell: doerOf, text: doerOf, roomy: true },
    {
      head: t('audit.what'),
      cell: (act) => <Deeds act={act} />,
      text: sentenceOf,
      plain: true,
      roomy: 'sentence',
    },
    {
      name: 'site',
      extra: true,
      head: t('common.site'),
      cell: ({ location, others = [] }) =>
        [...new Set([location, ...others.map((one) => one.location)])]
          .flatMap((site) => (site ? [siteOf(site)] : []))
          .join(t('common.comma')),
    },
    {
      name: 'changes',
      head: t('audit.changes'),
      cell: (event) => (event.hidden ? t('audit.hidden') : <Changes {...event} />),
      text: (event) => (event.hidden ? t('audit.hidden') : changesOf(event)),
      plain: true,
    },
  ];
}

interface FilterProps {
  filters: ReturnType<typeof useFilters<(typeof NAMES)[number]>>;
  rows: AuditEvent[];
}

function Filter({ filters, rows }: FilterProps) {
  const { t } = useDeskText();
  const people = usePersonOptions();
  const nameOf = useRecordName();
  const ability = useAbility();
  const { values, set } = filters;
  // A link may lead here from another record than a person's.
  const [first] = rows.filter((one) => one.record === values.record);
  const other =
    first && !people.some(({ value }) => value === first.record)
      ? [{ value: first.record, label: nameOf(first.names, first.record) || t('audit.thisOne') }]
      : [];
  const person = (name: 'by' | 'record', label: string, options: typeof people) => (
    <ChoiceFilter
      label={label}
      value={values[name]}
      onChange={(value) => set(name, value)}
      options={options}
    />
  );
  return (
    <FilterBar filters={filters}>
      {person('by', t('audit.doneBy'), people)}
      {person('record', t('audit.about'), [...other, ...people])}
      <SiteFilter value={values.location} onChange={(value) => set('location', value)} />
      {ability.can('read', 'ReferralCode') ? (
        <SearchFilter
          label={t('surveys.coupon')}
          value={values.code}
          onChange={(value) => set('code', value)}
        />
      ) : null}
      <ChoiceFilter
        label={t('audit.kind')}
        value={values.subject}
        onChange={(value) => set('subject', value)}
        options={AUDITED.map((value) => ({ value, label: t(`audit.subject.${value}`) }))}
      />
      <ChoiceFilter
        label={t('audit.deed')}
        value={values.action}
        onChange={(value) => set('action', value)}
        options={ACTIONS.map((value) => ({ value, label: t(`audit.action.${value}`) }))}
      />
      <DayFilter label={t('common.from')} value={values.from} onChange={(value) => set('from', value)} />
      <DayFilter label={t('common.to')} value={values.to} onChange={(value) => set('to', value)} />
    </FilterBar>
  );
}

const PLACES: Partial<Record<Audited, (id: string) => string>> = {
  User: (id) => `/desk/people/${id}`,
  Survey: (id) => `/desk/surveys/${id}`,
  Seed: (id) => `/desk/tree/${id}`,
  Questionnaire: (id) => `/desk/questionnaires/${id}`,
  Location: () => '/desk/sites',
  Study: () => '/desk/study',
  CodeBatch: () => '/desk/coupons',
  ReferralCode: () => '/desk/coupons',
};

/** One act on many opens to each of them. */
function Deeds({ act: { others = [], ...event } }: { act: Act }) {
  const { t } = useDeskText();
  const sentence = useSentence()(event);
  if (others.length === 0) return <Deed event={event} />;
  return (
    <details className="desk-many">
      <summary>
        {sentence} {t('audit.more', { count: others.length })}
      </summary>
      <ul>
        {[event, ...others].map((one) => (
          <li key={one.id}>
            <Deed event={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What happened, with the way to the record where that is still there. */
function Deed({ event }: { event: AuditEvent }) {
  const sentence = useSentence()(event);
  const { subject, record, names } = event;
  const gone = event.action === 'delete' || names[record]?.deleted === true;
  const to = gone || kindOf(event) === null ? undefined : PLACES[subject as Audited]?.(record);
  return to ? (
    <Link to={to} className="tall-link">
      {sentence}
    </Link>
  ) : (
    sentence
  );
}
