/** Every change of the study's settings, with its date. */

import { useDeskText } from '../../desk/desk-text.ts';
import { useFilters } from '../../desk/filters.tsx';
import { type Column, Pager, Table } from '../../desk/list-page.tsx';
import { useList } from '../../desk/use-list.tsx';
import type { AuditEvent } from '../../desk/wire.ts';
import { momentOf } from '../../i18n.ts';
import { Became } from '../../ui/became.tsx';
import { PersonName } from '../people/person-name.tsx';

export function StudyHistory() {
  const { t } = useDeskText();
  const { cursor } = useFilters([]);
  const listing = useList<AuditEvent>('/api/audit', { subject: 'Study', cursor, limit: '20' });
  return (
    <section aria-label={t('study.history')}>
      <h2 style={{ marginBottom: 12 }}>{t('study.history')}</h2>
      <Table
        label={t('study.history')}
        listing={listing}
        columns={useColumns()}
        id={({ id }) => id}
        empty={t('study.noHistory')}
      />
      <Pager listing={listing} />
    </section>
  );
}

function useColumns(): Column<AuditEvent>[] {
  const { t, language } = useDeskText();
  return [
    { head: t('study.when'), cell: ({ at }) => momentOf(at, language) },
    { head: t('common.who'), cell: ({ by }) => <PersonName id={by} /> },
    { head: t('study.change'), plain: true, cell: ({ changes }) => <Changes changes={changes} /> },
  ];
}

function Changes({ changes }: Pick<AuditEvent, 'changes'>) {
  const { t } = useDeskText();
  const known = (path: string) => path.split('.')[0] as keyof typeof names;
  const names = {
    name: t('study.fields.name'),
    contact: t('study.fields.contact'),
    couponsPerSurvey: t('study.fields.couponsPerSurvey'),
    couponValidDays: t('study.fields.couponValidDays'),
    couponStartsAfterHours: t('study.fields.couponStartsAfterHours'),
    targetSampleSize: t('study.fields.targetSampleSize'),
    endsOn: t('study.fields.endsOn'),
    populationSize: t('study.fields.populationSize'),
    populationSizeLow: t('study.fields.populationSizeLow'),
    populationSizeHigh: t('study.fields.populationSizeHigh'),
    smallestCell: t('study.fields.smallestCell'),
    analysisRuns: t('study.fields.analysisRuns'),
    outcomes: t('study.fields.outcomes'),
    dueFrom: t('study.fields.dueFrom'),
    dueTo: t('study.fields.dueTo'),
    timeZone: t('study.timeZone'),
    languages: t('study.languages'),
    couponText: t('study.couponTexts'),
  };
  const states: Record<string, string> = { AUTOMATIC: t('study.runs.AUTOMATIC'), OFF: t('study.runs.OFF') };
  const words = (value: unknown) => states[String(value)] ?? shown(value, t('common.comma'));
  return (
    <ul className="desk-changes">
      {changes.map(({ path, before, after }) => (
        <li key={path}>
          {names[known(path)] ?? path}: <Became before={words(before)} after={words(after)} />
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown, comma: string): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.map((one) => shown(one, comma)).join(comma);
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key}: ${shown(one, comma)}`)
      .join('; ');
  return String(value);
}
