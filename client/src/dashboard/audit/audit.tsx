/** Who did what and when, in words, with the previous values. */

import { Link } from 'react-router';
import { isRecordId } from '../../../../src/platform/lib/record-id.ts';
import type { AuditedSubject } from '../../../../src/platform/rights/names.ts';
import { useLocationName } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { AuditedChanges, useChangesText } from '../history/changes.tsx';
import { eventKindOf } from '../history/event-kind.ts';
import { type EventGroup, groupEvents } from '../history/group-events.ts';
import { useRecordName } from '../history/record-name.ts';
import { useAuthorName, useEventSentence } from '../history/sentence.ts';
import type { AuditEvent } from '../kit/data/dashboard-wire.ts';
import { useFilters } from '../kit/list/address.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { ListPage } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonOptions } from '../people/person-names.ts';
import { RestoreSurveyButton } from '../surveys/restore-button.tsx';

const useEventGroups = (events: AuditEvent[] | undefined) => ({ rows: events && groupEvents(events) });

export default function Audit() {
  const { t } = useDashboardText();
  const ability = useAbility();
  const { record, action } = useFilters(['record', 'action']).values;
  const people = usePersonOptions();
  // The interviews' fields aren't known here, so only an unconditional permission counts.
  const mayRestore = ability.can('delete', asPermissionSubject('Survey', {}));
  const nameOf = useRecordName();
  // A link may filter by a record that isn't a person.
  const aboutWhom = (rows: readonly AuditEvent[]) => {
    const other = rows.find((one) => one.record === record && !people.some(({ value }) => value === record));
    const label = other && (nameOf(other.names, record) || t('audit.thisOne'));
    return label ? [{ value: record, label }, ...people] : people;
  };
  return (
    <ListPage<EventGroup>
      name="history"
      path="/api/audit"
      // Reads would crowd out everything else, so they are hidden by default. An invalid id would be refused.
      query={{ ...(action ? {} : { reads: 'false' }), ...(isRecordId(record) ? {} : { record: undefined }) }}
      noTotal
      refetchInterval={10_000}
      useRowDetails={useEventGroups}
      subject="AuditEvent"
      title={t('audit.title')}
      lead={t('audit.lead')}
      views
      filters={[
        { name: 'by', label: t('audit.doneBy'), options: people },
        { name: 'record', label: t('audit.about'), options: aboutWhom },
        { name: 'location', as: 'site' },
        ability.can('read', 'ReferralCode') && { name: 'code', as: 'search', label: t('surveys.coupon') },
        { name: 'subject', label: t('audit.kind'), words: 'audit.subject' },
        { name: 'action', label: t('audit.deed'), words: 'audit.action' },
        { name: 'from', as: 'day', label: t('common.from') },
        { name: 'to', as: 'day', label: t('common.to') },
      ]}
      sort={['-createdAt']}
      columns={useColumns()}
      rowEnd={({ subject, action, record: id, names }) =>
        mayRestore && subject === 'Survey' && action === 'delete' && names[id]?.deleted !== false ? (
          <RestoreSurveyButton id={id} about={nameOf(names, id)} />
        ) : null
      }
      empty={t('audit.none')}
      noMatch={t('audit.noneMatch')}
    />
  );
}

function useColumns(): ListColumn<EventGroup>[] {
  const { t } = useDashboardText();
  const doerOf = useAuthorName();
  const sentenceOf = useEventSentence();
  const siteOf = useLocationName();
  const changesOf = useChangesText();
  return [
    { field: 'at', as: 'moment', head: t('audit.when'), sort: 'createdAt', oneLine: true },
    { name: 'who', head: t('common.who'), cell: doerOf, text: doerOf, roomy: true },
    {
      head: t('audit.what'),
      cell: (act) => <EventGroupLine act={act} />,
      text: sentenceOf,
      plain: true,
      roomy: 'sentence',
    },
    {
      field: 'location',
      name: 'site',
      extra: true,
      cell: ({ location, others = [] }) =>
        [...new Set([location, ...others.map((one) => one.location)])]
          .flatMap((site) => (site ? [siteOf(site)] : []))
          .join(t('common.comma')),
    },
    {
      name: 'changes',
      head: t('audit.changes'),
      cell: (event) => (event.hidden ? t('audit.hidden') : <AuditedChanges {...event} />),
      text: (event) => (event.hidden ? t('audit.hidden') : changesOf(event)),
      plain: true,
    },
  ];
}

const RECORD_PATHS: Partial<Record<AuditedSubject, (id: string) => string>> = {
  User: (id) => `/desk/people/${id}`,
  Survey: (id) => `/desk/surveys/${id}`,
  Seed: (id) => `/desk/tree/${id}`,
  Questionnaire: (id) => `/desk/questionnaires/${id}`,
  Location: () => '/desk/sites',
  Study: () => '/desk/study',
  Round: () => '/desk/rounds',
  CodeBatch: () => '/desk/coupons',
  ReferralCode: () => '/desk/coupons',
};

/** One action on many records; expands to show each of them. */
function EventGroupLine({ act: { others = [], ...event } }: { act: EventGroup }) {
  const { t } = useDashboardText();
  const sentence = useEventSentence()(event);
  if (others.length === 0) return <EventLine event={event} />;
  return (
    <details className="dashboard-many">
      <summary>
        {sentence} {t('audit.more', { count: others.length })}
      </summary>
      <ul>
        {[event, ...others].map((one) => (
          <li key={one.id}>
            <EventLine event={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What happened, linked to the record if it still exists. */
function EventLine({ event }: { event: AuditEvent }) {
  const sentence = useEventSentence()(event);
  const { subject, record, names } = event;
  const isDeleted = event.action === 'delete' || names[record]?.deleted === true;
  const to =
    isDeleted || eventKindOf(event) === null ? undefined : RECORD_PATHS[subject as AuditedSubject]?.(record);
  return to ? (
    <Link to={to} className="tall-link">
      {sentence}
    </Link>
  ) : (
    sentence
  );
}
