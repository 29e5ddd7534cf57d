/** Selects the languages to edit side by side, and shows which texts each one lacks. */
import { Checkbox } from '@mantine/core';
import { useMemo, useState } from 'react';
import { languageName } from '../../../../../src/platform/lib/languages/language-name.ts';
import { primarySubtagOf } from '../../../../../src/platform/lib/languages/text-direction.ts';
import { useStudy } from '../../../session/records.ts';
import { APP_LANGUAGES } from '../../../texts/i18n.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { type ElementPlace, isLaterPlace } from '../element-paths.ts';
import { languagesIn, missingTextsIn } from './definition/element-texts.ts';
import { useBuilderText } from './use-build.ts';

/** English plus the reader's language, or else the first other one. */
export function useLanguagesSideBySide(definition: object) {
  const { language } = useBuilderText();
  return useState<string[]>(() => {
    const spokenLanguages = languagesIn(definition);
    const other = spokenLanguages.includes(language) ? language : spokenLanguages.find((one) => one !== 'en');
    return [...new Set(['en', ...(other ? [other] : [])])];
  });
}

interface LanguageChoiceProps {
  definition: object;
  selected: string[];
  onChosen(languages: string[]): void;
}

export function SideBySideLanguageChoice({ definition, selected, onChosen }: LanguageChoiceProps) {
  const { own, language } = useBuilderText();
  const ofStudy = useStudy()?.languages ?? [];
  const options = [...new Set([...languagesIn(definition), ...ofStudy.map(primarySubtagOf), ...selected])];
  const others = Object.keys(APP_LANGUAGES).filter((one) => !options.includes(one));
  return (
    <>
      <Checkbox.Group
        aria-label={own('sideBySide')}
        value={selected}
        // In a fixed order, and never empty.
        onChange={(next) =>
          onChosen(next.length > 0 ? options.filter((one) => next.includes(one)) : selected)
        }
      >
        <div className="flow build-chips">
          {options.map((one) => (
            <Checkbox key={one} size="md" value={one} label={languageName(one, language)} />
          ))}
        </div>
      </Checkbox.Group>
      {others.length > 0 ? (
        <SelectField
          aria-label={own('addLanguage')}
          value=""
          none={own('addLanguage')}
          options={others.map((one) => ({ value: one, label: languageName(one, language) }))}
          onChange={(newLanguage) => onChosen([...selected, newLanguage])}
        />
      ) : null}
    </>
  );
}

interface MissingWordsInLanguageProps {
  definition: object;
  after: ElementPlace;
  onGo(place: ElementPlace, language: string): void;
}

/** Each click goes to the next page or question with a missing text. */
export function MissingWordsInLanguage({ definition, after, onGo }: MissingWordsInLanguageProps) {
  const { t, language: reader } = useBuilderText();
  const ofStudy = useStudy()?.languages;
  const missing = useMemo(
    () => missingTextsIn(definition, (ofStudy ?? []).map(primarySubtagOf)),
    [definition, ofStudy],
  );
  if (missing.length === 0) return null;
  const next = (places: ElementPlace[]) =>
    places.find((place) => isLaterPlace(place, after)) ?? places[0] ?? [];
  return (
    <ul className="flow" aria-label={t('versions.missingWords')}>
      {missing.map(({ language, count, places }) => (
        <li key={language}>
          <button type="button" className="build-link" onClick={() => onGo(next(places), language)}>
            {t('versions.missingTexts', { language: languageName(language, reader), count })}
          </button>
        </li>
      ))}
    </ul>
  );
}
