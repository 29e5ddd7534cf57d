/** Every change of the study's settings, with its date. */
import { useDeskText } from '../../desk/desk-text.ts';
import { List } from '../../desk/list.tsx';
import type { AuditEvent } from '../../desk/wire.ts';
import { Changes } from '../history/changes.tsx';
import { usePersonBehind } from '../history/sentence.ts';

export function StudyHistory() {
  const { t, moment } = useDeskText();
  return (
    <section aria-label={t('study.history')}>
      <h2 style={{ marginBottom: 12 }}>{t('study.history')}</h2>
      <List<AuditEvent>
        minimal
        noTotal
        name="study-history"
        path="/api/audit"
        query={{ subject: 'Study' }}
        limit={20}
        subject="AuditEvent"
        label={t('study.history')}
        columns={[
          { head: t('study.when'), cell: ({ at }) => moment(at) },
          { head: t('common.who'), cell: usePersonBehind() },
          { head: t('study.change'), plain: true, cell: (event) => <Changes {...event} /> },
        ]}
        empty={t('study.noHistory')}
      />
    </section>
  );
}
