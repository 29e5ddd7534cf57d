/** Lists the languages in which people would see texts in another language, before a version is activated. */

import { languageName } from '../../../../../src/lib/language-name.ts';
import { primaryLanguage } from '../../../../../src/lib/text-direction.ts';
import { useDeskText } from '../../../desk/desk-text.ts';
import { useStudy } from '../../../records.ts';
import { Notice } from '../../../ui/notice.tsx';
import { missingIn } from './element-texts.ts';

export default function MissingWords({ definition }: { definition: object }) {
  const { t, language: reader } = useDeskText();
  const ofStudy = useStudy()?.languages ?? [];
  const missing = missingIn(definition, ofStudy.map(primaryLanguage));
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
