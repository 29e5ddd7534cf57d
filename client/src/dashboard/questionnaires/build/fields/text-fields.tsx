/** The texts of a page, question, or choice, with languages side by side. */
import { Textarea, TextInput } from '@mantine/core';
import { languageName } from '../../../../../../src/platform/lib/languages/language-name.ts';
import { textDirection } from '../../../../../../src/platform/lib/languages/text-direction.ts';
import type { LocalizedText } from '../../questionnaire-outline.ts';
import { textWithoutFallback } from '../definition/element-texts.ts';
import { useBuilderText, useBuilding } from '../use-build.ts';

interface TextFieldsProps {
  label: string;
  words: LocalizedText | undefined;
  /** One line of a list, such as a choice, whose heading is above the list. */
  short?: boolean;
  onText(language: string, text: string): void;
  /** Called when the field loses focus. */
  onDone?(text: string): void;
  /** Id of the first field. */
  id?: string | undefined;
}

type Typed = { currentTarget: { value: string } };

export function TextFields({ label, words, short, onText, onDone, id }: TextFieldsProps) {
  const { language: reader } = useBuilderText();
  const { languages } = useBuilding();
  const Field = short ? TextInput : Textarea;
  return (
    <div className="build-languages">
      {languages.map((language, index) => {
        const text = words === undefined ? '' : textWithoutFallback(words, language);
        const name = languages.length > 1 ? languageName(language, reader) : '';
        const fullLabel = name ? `${label} · ${name}` : label;
        return (
          <Field
            key={language}
            id={index === 0 ? id : undefined}
            size="md"
            {...(short ? { 'aria-label': fullLabel, placeholder: name } : { label: fullLabel })}
            lang={language}
            // Only if it exists in another language: an optional text that nobody wrote isn't missing.
            data-lacks={(words !== undefined && text === '') || undefined}
            dir={textDirection(language)}
            value={text}
            onChange={({ currentTarget }: Typed) => onText(language, currentTarget.value)}
            onBlur={({ currentTarget }: Typed) => onDone?.(currentTarget.value)}
            {...(short ? {} : { autosize: true, minRows: 1 })}
          />
        );
      })}
    </div>
  );
}
