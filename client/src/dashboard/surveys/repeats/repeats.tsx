/** Interviews with people who may have been interviewed before, one after the other. */
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';
import type { Survey } from '../../../wire.ts';
import { Toast } from '../../kit/actions/toast.tsx';
import { ActionRunnerContext, useNewActionRunner } from '../../kit/actions/use-actions.ts';
import { useRecord } from '../../kit/data/use-list.tsx';
import { DashboardPage, PendingContent } from '../../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { surveyApiPath } from '../survey-paths.ts';
import { PossibleRepeat } from './survey-repeat.tsx';
import { usePossibleRepeats } from './use-repeats.ts';

export default function Repeats() {
  const { t, counted } = useDashboardText();
  const acts = useNewActionRunner();
  const [later, setLater] = useState<readonly string[]>([]);
  const { repeats, error } = usePossibleRepeats();
  const open = repeats ?? [];
  // Skipped ones come back once the others are done.
  const first = open.find(({ id }) => !later.includes(id)) ?? open[0];
  return (
    <ActionRunnerContext value={acts}>
      <DashboardPage title={t('repeats.title')} lead={t('repeats.lead')} back="/">
        {repeats && !error ? null : <PendingContent error={error} label={t('repeats.title')} rows={8} />}
        {repeats && !first ? <Notice tone="good" title={t('repeats.none')} /> : null}
        {first ? (
          <>
            <Group justify="space-between">
              <Text fw={650}>{t('repeats.left', counted(open.length))}</Text>
              <Group gap="sm">
                <Link to={`/desk/surveys/${first.id}`} className="tall-link">
                  {t('repeats.open')}
                </Link>
                {open.length > 1 ? (
                  <Button variant="default" onClick={() => setLater((before) => [...before, first.id])}>
                    {t('repeats.later')}
                  </Button>
                ) : null}
              </Group>
            </Group>
            <RepeatPair key={first.id} id={first.id} />
          </>
        ) : null}
      </DashboardPage>
      <Toast {...acts.toast} />
    </ActionRunnerContext>
  );
}

function RepeatPair({ id }: { id: string }) {
  const { t } = useDashboardText();
  const { data, error } = useRecord<Survey>(surveyApiPath(id));
  if (data) return <PossibleRepeat survey={data} />;
  return <PendingContent error={error} label={t('surveys.one')} rows={8} />;
}
