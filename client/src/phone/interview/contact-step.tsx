/**
 * Whether the person wants text messages, in the study's words, and the phone number. In the respondent's language.
 */
import { TextInput, Title } from '@mantine/core';
import { useId } from 'react';
import type { ContactInput } from '../../../../src/interviews/contacts/schema.ts';
import { bestLanguage } from '../../../../src/platform/lib/languages/best-language.ts';
import { toLatinDigits } from '../../../../src/platform/lib/text/latin-digits.ts';
import { useTextsInLanguage } from '../../texts/use-texts-of.ts';
import { rewriteTypedText } from '../../ui/rewrite-input.ts';
import '../payments/paying.css';

interface ContactStepProps {
  /** By language. */
  words: Record<string, string>;
  language: string;
  /** Undefined until answered; null means no. */
  value: ContactInput | null | undefined;
  isMissing: boolean;
  onChange(value: ContactInput | null): void;
}

export function ContactStep({ words, language, value, isMissing, onChange }: ContactStepProps) {
  const name = useId();
  const fault = useId();
  const t = useTextsInLanguage(language, 'own-page');
  if (!t) return null;
  const languages = Object.keys(words).filter((one) => words[one]?.trim());
  const consent = words[bestLanguage(languages, [language]) ?? ''];
  const answer = (text: string, isChosen: boolean, next: ContactInput | null) => (
    <label className="method">
      <input
        type="radio"
        autoComplete="off"
        name={name}
        checked={isChosen}
        aria-describedby={isMissing ? fault : undefined}
        onChange={() => onChange(next)}
      />
      {text}
    </label>
  );
  return (
    <div className="hand-over">
      <Title order={2} size="h3">
        {t('texts')}
      </Title>
      <p dir="auto" style={{ whiteSpace: 'pre-line' }}>
        {consent ?? t('consent')}
      </p>
      <fieldset className="methods">
        <legend>{t('wanted')}</legend>
        {answer(t('yes'), Boolean(value), value ?? { phone: '', language, consent: true })}
        {answer(t('no'), value === null, null)}
      </fieldset>
      {value ? (
        <TextInput
          mt="sm"
          label={t('phone')}
          description={t('phoneWhat')}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          maxLength={40}
          dir="ltr"
          value={value.phone}
          onChange={(event) =>
            onChange({ phone: rewriteTypedText(event.currentTarget, toLatinDigits), language, consent: true })
          }
        />
      ) : null}
      <p className="methods-error" id={fault} role="alert">
        {isMissing ? t(value ? 'phoneMissing' : 'choose') : null}
      </p>
    </div>
  );
}
