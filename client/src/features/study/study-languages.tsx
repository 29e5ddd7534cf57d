/** The languages of the study's paper, and what the coupon says in each. The first is the main one. */
import { Button, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { directionOf } from '../../../../src/lib/direction.ts';
import { languageName, languageWithin } from '../../../../src/lib/language-name.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { faultOf } from '../../ui/field-error.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Study } from '../../wire.ts';

/** Offered; the service takes any language tag. */
const OFFERED =
  'en es am ar bn de fa fr ha he hi ht ja km ko my ne om pa pl ps pt ro ru so sw ti tl tr uk ur vi yo zh'.split(
    ' ',
  );

interface StudyLanguagesProps extends Pick<Study, 'languages' | 'couponText' | 'contacts'> {
  onChange(change: Partial<Pick<Study, 'languages' | 'couponText' | 'contacts'>>): void;
  error: unknown;
}

export function StudyLanguages({ languages, couponText, contacts, onChange, error }: StudyLanguagesProps) {
  const { t, language } = useDeskText();
  const nameOf = (tag: string) => languageWithin(tag, language);
  return (
    <>
      {languages.map((tag) => (
        <div key={tag} className="desk-language">
          <Stack gap="sm">
            <Textarea
              size="md"
              lang={tag}
              dir={directionOf(tag)}
              autosize
              minRows={2}
              label={t('study.couponText', { language: nameOf(tag) })}
              description={t('study.what.couponText')}
              error={faultOf(error, `couponText.${tag}`)}
              value={couponText[tag] ?? ''}
              onChange={(event) =>
                onChange({ couponText: { ...couponText, [tag]: event.currentTarget.value } })
              }
            />
            {languages.length > 1 ? (
              <Textarea
                size="md"
                lang={tag}
                dir={directionOf(tag)}
                autosize
                label={t('study.contactIn', { language: nameOf(tag) })}
                description={t('study.what.contactIn')}
                error={faultOf(error, `contacts.${tag}`)}
                value={contacts[tag] ?? ''}
                onChange={(event) =>
                  onChange({ contacts: { ...contacts, [tag]: event.currentTarget.value } })
                }
              />
            ) : null}
          </Stack>
          {languages.length > 1 ? (
            <button
              type="button"
              className="icon-button"
              aria-label={t('study.removeLanguage', { language: nameOf(tag) })}
              // Its text stays, should the language come back.
              onClick={() => onChange({ languages: languages.filter((one) => one !== tag) })}
            >
              <Icon name="trash" size={20} />
            </button>
          ) : null}
        </div>
      ))}
      <AddLanguage
        taken={languages}
        onAdd={(tag) => onChange({ languages: [...languages, tag] })}
        error={faultOf(error, 'languages')}
      />
    </>
  );
}

interface AddLanguageProps {
  taken: readonly string[];
  onAdd(tag: string): void;
  error?: string | undefined;
}

export function AddLanguage({ taken, onAdd, error }: AddLanguageProps) {
  const { t, language } = useDeskText();
  const open = OFFERED.filter((tag) => !taken.includes(tag));
  const [chosen, setChosen] = useState('');
  const sorted = open
    .map((value) => ({ value, label: languageName(value, language) }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  return (
    <div className="desk-inline" style={{ marginTop: 16 }}>
      <NativeSelect
        size="md"
        label={t('study.addLanguage')}
        error={error}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[{ value: '', label: t('study.chooseLanguage') }, ...sorted]}
      />
      <Button
        variant="default"
        size="md"
        disabled={chosen === ''}
        onClick={() => {
          onAdd(chosen);
          setChosen('');
        }}
      >
        {t('common.add')}
      </Button>
    </div>
  );
}
