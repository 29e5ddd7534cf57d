/** Lists the languages in which some texts would appear in another language, before a version is activated. */

import { languageName } from '../../../../../src/platform/lib/languages/language-name.ts';
import { primarySubtagOf } from '../../../../../src/platform/lib/languages/text-direction.ts';
import { useStudy } from '../../../session/records.ts';
import { Notice } from '../../../ui/notice.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { missingTextsIn } from './definition/element-texts.ts';

export default function MissingQuestionTranslations({ definition }: { definition: object }) {
  const { t, language: reader } = useDashboardText();
  const ofStudy = useStudy()?.languages ?? [];
  const missing = missingTextsIn(definition, ofStudy.map(primarySubtagOf));
  if (missing.length === 0) return null;
  return (
    <Notice tone="warn" title={t('versions.missingWords')}>
      {missing.map(({ language, count }) => (
        <div key={language}>
          {t('versions.missingTexts', { language: languageName(language, reader), count })}
        </div>
      ))}
    </Notice>
  );
}
