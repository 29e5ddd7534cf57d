/** Whether a draft is stored, and what to do if someone else has changed it. */
import { Button, Group, Text } from '@mantine/core';
import { NoSignal } from '../../../session/api.ts';
import { useUser } from '../../../session/session.tsx';
import { FormError } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { usePersonName } from '../../people/person-names.ts';
import type { DraftState } from './draft-store.ts';
import type { QuestionnaireDraftConflict } from './questionnaire-draft.ts';

export function QuestionnaireDraftStatus({ state, isNew }: { state: DraftState; isNew: boolean }) {
  const { t } = useDashboardText();
  const { draft, isStored, other, error } = state;
  const isOffline = error instanceof NoSignal;
  const text = () => {
    if (!draft) return isNew ? null : t('versions.nothingChanged');
    if (isStored) return t('versions.draftStored');
    return t(isOffline ? 'versions.draftOffline' : 'versions.draftUnsent');
  };
  return (
    <>
      <Text c="dimmed" role="status">
        {other === undefined ? text() : null}
      </Text>
      {error && !isOffline ? <FormError error={error} /> : null}
    </>
  );
}

interface DraftElsewhereProps {
  elsewhere: QuestionnaireDraftConflict;
  /** This page has changes of its own. */
  hasOwn: boolean;
}

/** Two people or windows are editing one draft: nothing is overwritten until someone chooses. */
export function QuestionnaireDraftConflictNotice({ elsewhere, hasOwn }: DraftElsewhereProps) {
  const { t, moment } = useDashboardText();
  const nameOf = usePersonName();
  const me = useUser().id;
  const { other, keepMine, takeOther } = elsewhere;
  const title = () => {
    if (!other) return t('versions.draftGoneElsewhere');
    const at = moment(other.updatedAt);
    if (other.updatedBy === me) return t('versions.draftElsewhere', { at });
    return t('versions.draftElsewhereBy', { at, who: nameOf(other.updatedBy) });
  };
  return (
    <Notice tone="warn" live title={title()}>
      {t('versions.draftElsewhereWhat')}
      <Group mt="sm" gap="sm">
        {hasOwn ? (
          <Button variant="default" onClick={keepMine}>
            {t('versions.keepMine')}
          </Button>
        ) : null}
        <Button variant="default" onClick={takeOther}>
          {t(other ? 'versions.useOther' : 'versions.discard')}
        </Button>
      </Group>
    </Notice>
  );
}
