/** The study's settings, each with an explanation, and who last changed it and when. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useAbility } from '../../session/session.tsx';
import type { Study as StudyRecord } from '../../wire.ts';
import { AuditedChanges } from '../history/changes.tsx';
import { useDoerName } from '../history/sentence.ts';
import type { AuditEvent } from '../kit/data/dashboard-wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { DashboardPage, PendingContent } from '../kit/list/dashboard-page.tsx';
import { List } from '../kit/list/list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { StudyForm } from './study-form.tsx';

export default function StudySettingsPage() {
  const { t } = useDashboardText();
  const ability = useAbility();
  const query = useGet<StudyRecord>('/api/study');
  return (
    <DashboardPage
      title={t('study.title')}
      lead={t('study.lead')}
      besideTitle={
        ability.can('manage', 'all') ? (
          <>
            <Button component={Link} to="/desk/rounds" variant="default">
              {t('rounds.title')}
            </Button>
            <Button component={Link} to="/desk/tokens" variant="default">
              {t('tokens.title')}
            </Button>
            <Button component={Link} to="/desk/first-run" variant="default">
              {t('study.firstSteps')}
            </Button>
          </>
        ) : null
      }
    >
      {query.data ? (
        <StudyForm study={query.data} />
      ) : (
        <PendingContent error={query.error} label={t('study.title')} rows={10} />
      )}
      {ability.can('read', 'AuditEvent') ? <StudyHistory /> : null}
    </DashboardPage>
  );
}

/** Every change of the study's settings, with its date. */
function StudyHistory() {
  const { t, moment } = useDashboardText();
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
          { head: t('common.who'), cell: useDoerName() },
          { head: t('study.change'), plain: true, cell: (event) => <AuditedChanges {...event} /> },
        ]}
        empty={t('study.noHistory')}
      />
    </section>
  );
}
