/** Erases an interview's answers, and shows when that was done. */
import { ifMatchHeader, request } from '../../session/api.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { currentQueryClient } from '../../session/records.ts';
import { useMay } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Survey } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { useToast } from '../kit/actions/use-actions.ts';
import { refetchDashboard, refreshAndThrow } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { surveyApiPath } from './survey-paths.ts';

const MAX_REASON_LENGTH = 500;

export function EraseAnswersButton({ survey }: { survey: Survey }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const mayErase = useMay('erase', 'Survey', survey);
  if (!mayErase || survey.erasedAt) return null;
  const erase = async (reason: string) => {
    const headers = ifMatchHeader(survey.version);
    await request('POST', `${surveyApiPath(survey.id)}/erase`, { body: { reason }, headers }).catch(
      refreshAndThrow,
    );
    toast(t('surveys.eraseDone'));
    void refetchDashboard();
    void currentQueryClient().invalidateQueries({ queryKey: queryKeys.allSurveys });
  };
  return (
    <DialogButton
      label={t('surveys.erase')}
      title={t('surveys.eraseTitle')}
      text={t('surveys.eraseWhat')}
      reason={{ what: t('surveys.eraseReason'), required: true, most: MAX_REASON_LENGTH }}
      yes={t('surveys.eraseYes')}
      danger
      onYes={erase}
    />
  );
}

export function ErasedNotice({ survey: { erasedAt } }: { survey: Survey }) {
  const { t, moment } = useDashboardText();
  if (!erasedAt) return null;
  return (
    <Notice tone="info" title={t('surveys.erased', { at: moment(erasedAt) })}>
      {t('surveys.erasedWhat')}
    </Notice>
  );
}
