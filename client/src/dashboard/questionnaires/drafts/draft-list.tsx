/** Unfinished questionnaires of everyone who may create them. */
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { QuestionnaireDraftSummary } from '../../../../../src/questionnaires/drafts/schema.ts';
import { useWorkspace } from '../../../session/session.tsx';
import { Card } from '../../../ui/page.tsx';
import type { ListOf } from '../../../wire.ts';
import { DialogButton } from '../../kit/actions/dialog.tsx';
import { sendChange } from '../../kit/actions/send.ts';
import { refetchDashboard, useGet } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { usePersonName } from '../../people/person-names.ts';
import { draftReferencesOnDevice } from './draft-on-device.ts';
import { questionnaireDraftAt } from './draft-store.ts';

export function QuestionnaireDraftsCard() {
  const { t, age } = useDashboardText();
  const nameOf = usePersonName();
  useTakeOver();
  const drafts = useGet<ListOf<QuestionnaireDraftSummary>>('/api/questionnaire-drafts').data?.data ?? [];
  if (drafts.length === 0) return null;
  return (
    <Card label={t('versions.drafts')}>
      <h2>{t('versions.drafts')}</h2>
      <ul className="rows">
        {drafts.map((draft) => {
          const name = draft.name.trim() || t('versions.untitled');
          return (
            <li key={draft.id}>
              <div>
                <Link className="tall-link" to={draftUrl(draft)}>
                  {name}
                </Link>
                <Text size="sm" c="dimmed">
                  {t(draft.base ? 'versions.draftOfVersion' : 'versions.draftOfNew')}{' '}
                  {t('versions.draftBy', { who: nameOf(draft.updatedBy), age: age(draft.updatedAt) })}
                </Text>
              </div>
              <DialogButton
                small
                danger
                label={t('versions.discard')}
                recordName={name}
                text={t('versions.discardDraft', { name })}
                yes={t('versions.discard')}
                onYes={() => sendChange('DELETE', `/api/questionnaire-drafts/${draft.id}`)}
              />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

const draftUrl = ({ base, id }: QuestionnaireDraftSummary) =>
  base ? `/desk/questionnaires/${base}?tab=edit` : `/desk/questionnaires/new?draft=${id}`;

/** Sends drafts that are only on this device, including those from before the service stored drafts. */
function useTakeOver(): void {
  const workspace = useWorkspace();
  useEffect(() => {
    const places = draftReferencesOnDevice(workspace.owner);
    if (places.length === 0) return;
    const requests = places.map(async (place) => {
      const draft = questionnaireDraftAt(workspace, place);
      await draft.look();
      await draft.push();
    });
    void Promise.all(requests).then(refetchDashboard);
  }, [workspace]);
}
