/** Who did what when, and what it was before. */
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import type { z } from 'zod';
import type { AuditEvent as AuditEventSchema } from '../../../../src/audit/schema.ts';
import { AUDITED, type Audited } from '../../../../src/rights/names.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { ChoiceFilter, DayFilter, FilterBar, SearchFilter, useFilters } from '../../desk/filters.tsx';
import { type Column, DeskPage, Pager, Table } from '../../desk/list-page.tsx';
import { useList } from '../../desk/use-list.tsx';
import { momentOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Changed, useFieldWords } from '../history/change-words.tsx';
import { usePersonName, usePersonOptions } from '../people/person-names.ts';
import { useSeedCode } from '../seeds/seed-codes.ts';
import { RestoreButton } from '../surveys/restore-button.tsx';
import { useSurveyName } from './survey-names.ts';

type Event = z.infer<typeof AuditEventSchema>;

const ACTIONS = ['create', 'update', 'delete', 'download'] as const;
const NAMES = ['by', 'subject', 'action', 'from', 'to', 'record'] as const;
const ID = /^[0-9a-f]{24}$/i;
/** More than this is a whole record; its page shows it better. */
const MOST_CHANGES = 8;

export default function Audit() {
  const { t, language } = useDeskText();
  const filters = useFilters(NAMES);
  const personOf = usePersonName();
  const { record } = filters.values;
  // Half an id is no question that the service could answer.
  const usable = record === '' || ID.test(record);
  const query = { ...filters.values, cursor: filters.cursor, record: usable ? record : undefined };
  // Of the interview itself nothing is known here, so only a right that asks nothing of it is one.
  const mayRestore = useAbility().can('delete', asRecord('Survey', {}));
  const listing = useList<Event>('/api/audit', query, { every: 10_000 });
  const columns: Column<Event>[] = [
    { head: t('audit.when'), cell: ({ at }) => momentOf(at, language) },
    { head: t('common.who'), cell: ({ by }) => personOf(by) },
    { head: t('audit.what'), cell: (event) => <Deed event={event} />, plain: true },
    { head: t('audit.changes'), cell: (event) => <Changes event={event} />, plain: true },
  ];
  return (
    <DeskPage title={t('audit.title')} lead={t('audit.lead')}>
      <Filter filters={filters} />
      {usable ? null : <Text c="dimmed">{t('audit.wrongRecord')}</Text>}
      <Table
        label={t('audit.title')}
        listing={listing}
        columns={columns}
        id={({ id }) => id}
        actions={({ subject, action, record }) =>
          mayRestore && subject === 'Survey' && action === 'delete' ? (
            <RestoreButton id={record} about={`#${record.slice(-6)}`} />
          ) : null
        }
        empty={filters.any ? t('audit.noneMatch') : t('audit.none')}
      />
      <Pager listing={listing} />
    </DeskPage>
  );
}

function Filter({ filters }: { filters: ReturnType<typeof useFilters<(typeof NAMES)[number]>> }) {
  const { t } = useDeskText();
  const people = usePersonOptions();
  const { values, set } = filters;
  return (
    <FilterBar filters={filters}>
      <ChoiceFilter
        label={t('common.who')}
        value={values.by}
        onChange={(value) => set('by', value)}
        options={people}
      />
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
      <SearchFilter
        label={t('audit.record')}
        placeholder={t('audit.recordHint')}
        value={values.record}
        onChange={(value) => set('record', value)}
      />
    </FilterBar>
  );
}

const isSubject = (text: string): text is Audited => (AUDITED as readonly string[]).includes(text);

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

/** "changed the person Ana Field": the verb, the kind of record, and its name where it has one. */
function Deed({ event: { action, subject, record, changes } }: { event: Event }) {
  const { t } = useDeskText();
  const siteOf = useLocationName();
  const personOf = usePersonName();
  const kind = isSubject(subject) ? t(`audit.subject.${subject}`) : subject;
  const codeOf = useSeedCode(subject === 'Seed');
  const surveyOf = useSurveyName(subject === 'Survey');
  const fileName = () => String(changes.find(({ path }) => path === 'file')?.after ?? '');
  const names: Partial<Record<string, (id: string) => string>> = {
    User: personOf,
    Location: siteOf,
    Seed: codeOf,
    Survey: surveyOf,
    Export: fileName,
  };
  const name = names[subject]?.(record) ?? '';
  // The end of its address tells it from others where it has no name.
  const which = name ? `“${name}”` : `#${record.slice(-6)}`;
  const sentence = t(`audit.did.${action}`, { kind: subject === 'Study' ? kind : `${kind} ${which}` });
  const to = isSubject(subject) && action !== 'delete' ? PLACES[subject]?.(record) : undefined;
  return to ? (
    <Link to={to} className="tall-link">
      {sentence}
    </Link>
  ) : (
    sentence
  );
}

function Changes({ event: { changes, subject, hidden } }: { event: Event }) {
  const { t } = useDeskText();
  const wordsOf = useFieldWords();
  if (hidden) return <Text c="dimmed">{t('audit.hidden')}</Text>;
  if (changes.length === 0) return null;
  return (
    <div>
      {changes.slice(0, MOST_CHANGES).map(({ path, before, after }) => {
        const { field, say } = wordsOf(subject, path);
        return <Changed key={path} field={field} before={say(before)} after={say(after)} />;
      })}
      {changes.length > MOST_CHANGES ? t('audit.more', { count: changes.length - MOST_CHANGES }) : null}
    </div>
  );
}
