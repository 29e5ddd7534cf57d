/** Every change of the study's settings, with its date. */

import { useDeskText } from '../../desk/desk-text.ts';
import { useFilters } from '../../desk/filters.tsx';
import { type Column, Pager, Table } from '../../desk/list-page.tsx';
import { useList } from '../../desk/use-list.tsx';
import type { AuditEvent } from '../../desk/wire.ts';
import { momentOf } from '../../i18n.ts';
import { Changes } from '../history/changes.tsx';
import { usePersonBehind } from '../history/sentence.ts';

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
  const behind = usePersonBehind();
  return [
    { head: t('study.when'), cell: ({ at }) => momentOf(at, language) },
    { head: t('common.who'), cell: behind },
    { head: t('study.change'), plain: true, cell: (event) => <Changes {...event} /> },
  ];
}
