/** The texts of a page, question or choice, with its languages side by side. */
import { Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { languageName } from '../../../../../src/lib/language-name.ts';
import { textDirection } from '../../../../../src/lib/text-direction.ts';
import type { Words } from '../questionnaire-outline.ts';
import { inThis } from './element-texts.ts';

interface TextFieldsProps {
  label: string;
  words: Words | undefined;
  languages: string[];
  /** One line of a list, such as a choice: what it is stands above the list. */
  short?: boolean;
  onText(language: string, text: string): void;
  /** The field is left, with this in it. */
  onDone?(language: string, text: string): void;
  /** To find the first of them again. */
  id?: string;
}

export function TextFields({ label, words, languages, short, onText, onDone, id }: TextFieldsProps) {
  const { i18n } = useTranslation('builder');
  const Field = short ? TextInput : Textarea;
  return (
    <div className="build-languages">
      {languages.map((language, index) => {
        const text = words === undefined ? '' : inThis(words, language);
        const named = languages.length > 1 ? `${label} · ${languageName(language, i18n.language)}` : label;
        return (
          <Field
            key={language}
            {...(id && index === 0 ? { id } : {})}
            size="md"
            {...(short
              ? {
                  'aria-label': named,
                  placeholder: languages.length > 1 ? languageName(language, i18n.language) : '',
                }
              : { label: named })}
            lang={language}
            // Said in another language: an explanation that nobody wrote is not missing.
            data-lacks={(words !== undefined && text === '') || undefined}
            dir={textDirection(language)}
            value={text}
            onChange={(event: { currentTarget: { value: string } }) =>
              onText(language, event.currentTarget.value)
            }
            onBlur={(event: { currentTarget: { value: string } }) =>
              onDone?.(language, event.currentTarget.value)
            }
            {...(short ? {} : { autosize: true, minRows: 1 })}
          />
        );
      })}
    </div>
  );
}
