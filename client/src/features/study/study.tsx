/** The study's record: each setting with what it means, and when it was changed by whom. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useDeskText } from '../../desk/desk-text.ts';
import { DeskPage, ListSkeleton } from '../../desk/list-page.tsx';
import { useGet } from '../../desk/use-list.tsx';
import { useProblemText } from '../../problem-text.ts';
import { useAbility } from '../../session.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Study as StudyRecord } from '../../wire.ts';
import { StudyForm } from './study-form.tsx';
import { StudyHistory } from './study-history.tsx';

export default function Study() {
  const { t } = useDeskText();
  const problem = useProblemText();
  const ability = useAbility();
  const found = useGet<StudyRecord>('/api/study');
  return (
    <DeskPage
      title={t('study.title')}
      lead={t('study.lead')}
      beside={
        ability.can('manage', 'all') ? (
          <Button component={Link} to="/desk/first-run" variant="default">
            {t('study.firstSteps')}
          </Button>
        ) : null
      }
    >
      {found.data ? (
        <StudyForm study={found.data} />
      ) : found.error ? (
        <Notice tone="bad" live title={problem(found.error)} />
      ) : (
        <ListSkeleton label={t('study.title')} rows={10} />
      )}
      {ability.can('read', 'AuditEvent') ? <StudyHistory /> : null}
    </DeskPage>
  );
}
