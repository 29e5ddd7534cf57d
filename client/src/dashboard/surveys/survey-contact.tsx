/** Whether the respondent gets text messages, and a button to stop them. Nobody sees the number. */
import { languageNameInSentence } from '../../../../src/platform/lib/languages/language-name.ts';
import { ifMatchHeader, request } from '../../session/api.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import type { Survey } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { refreshAndThrow } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { surveyApiPath } from './survey-paths.ts';

interface SurveyContactProps {
  survey: Survey;
  onChange(survey: Survey): void;
}

export function TextingStatus({ survey, onChange }: SurveyContactProps) {
  const { t, language } = useDashboardText();
  const mayRemove = useAbility().can('update', asPermissionSubject('Survey', survey));
  const { contact } = survey;
  if (!contact) return null;
  const remove = async () => {
    const headers = ifMatchHeader(survey.version);
    const body = { contact: null };
    onChange(
      await request<Survey>('PATCH', surveyApiPath(survey.id), { body, headers }).catch(refreshAndThrow),
    );
  };
  return (
    <span className="survey-site">
      {t(`surveys.contact.${contact.state}`, {
        language: languageNameInSentence(contact.language, language),
      })}
      {mayRemove ? (
        <DialogButton
          label={t('surveys.contact.remove')}
          small
          text={t('surveys.contact.removeWhat')}
          yes={t('surveys.contact.removeYes')}
          danger
          onYes={remove}
        />
      ) : null}
    </span>
  );
}
