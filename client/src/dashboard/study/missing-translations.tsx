/** Warns if the questionnaire or coupon has no text in a language of the study. */

import { languageNameInSentence } from '../../../../src/platform/lib/languages/language-name.ts';
import { primarySubtagOf } from '../../../../src/platform/lib/languages/text-direction.ts';
import { useActiveQuestionnaire, useQuestionnaire } from '../../session/records.ts';
import { APP_LANGUAGES, isLanguage, isUnreviewedLanguage } from '../../texts/i18n.ts';
import { Notice } from '../../ui/notice.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { definitionLanguagesOf } from '../questionnaires/questionnaire-outline.ts';

function useQuestionnaireLanguages(): string[] | undefined {
  const { data } = useQuestionnaire(useActiveQuestionnaire());
  return data && definitionLanguagesOf(data.definition);
}

interface MissingWordsProps {
  languages: readonly string[];
  couponText: Record<string, string>;
}

export function MissingStudyTranslations({ languages, couponText }: MissingWordsProps) {
  const { t, language } = useDashboardText();
  const interviewLanguages = useQuestionnaireLanguages();
  const languageList = (tags: readonly string[]) =>
    new Intl.ListFormat(language).format(tags.map((tag) => languageNameInSentence(tag, language)));
  const unasked = interviewLanguages
    ? languages.filter((tag) => !interviewLanguages.map(primarySubtagOf).includes(primarySubtagOf(tag)))
    : [];
  const untold = languages.filter((tag) => !couponText[tag]?.trim());
  const unspoken = languages.filter((tag) => !isLanguage(primarySubtagOf(tag)));
  const drafts = languages.filter((tag) => isUnreviewedLanguage(primarySubtagOf(tag)));
  const lacking = unasked.length + untold.length + unspoken.length > 0;
  return (
    <>
      {lacking ? (
        <Notice tone="warn" title={t('missingWords.title')}>
          {unasked.length > 0 ? (
            <div>{t('missingWords.questions', { languages: languageList(unasked) })}</div>
          ) : null}
          {unspoken.length > 0 ? (
            <div>
              {t('missingWords.app', {
                languages: languageList(unspoken),
                spoken: languageList(Object.keys(APP_LANGUAGES)),
              })}
            </div>
          ) : null}
          {untold.length > 0 ? (
            <div>{t('missingWords.coupon', { languages: languageList(untold) })}</div>
          ) : null}
        </Notice>
      ) : null}
      {drafts.length > 0 ? (
        <Notice tone="warn" title={t('missingWords.draftTitle', { languages: languageList(drafts) })}>
          {t('missingWords.draft')}
        </Notice>
      ) : null}
    </>
  );
}
