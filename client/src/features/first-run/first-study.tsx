/** The first step of the first run: what the study is called, whom to ask, its languages and how many coupons. */
import { Button, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageName, languageWithin } from '../../../../src/lib/language-name.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { ListSkeleton } from '../../desk/list-page.tsx';
import { useGet } from '../../desk/use-list.tsx';
import { faultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import type { Study } from '../../wire.ts';
import { MissingWords } from '../study/missing-words.tsx';
import { saveStudy } from '../study/study-form.tsx';
import { AddLanguage } from '../study/study-languages.tsx';
import { TimeZoneCard } from '../study/time-zone.tsx';

interface StepProps {
  onNext(): void;
}

export function FirstStudy({ onNext }: StepProps) {
  const { t } = useDeskText();
  const found = useGet<Study>('/api/study');
  return found.data ? (
    <StudyStep study={found.data} onNext={onNext} />
  ) : (
    <ListSkeleton label={t('study.title')} />
  );
}

function StudyStep({ study, onNext }: StepProps & { study: Study }) {
  const { t, language } = useDeskText();
  const { t: own } = useTranslation('first-run');
  const [name, setName] = useState(study.name);
  const [contact, setContact] = useState(study.contact);
  const [languages, setLanguages] = useState(study.languages);
  const [timeZone, setTimeZone] = useState(study.timeZone);
  const [coupons, setCoupons] = useState<number | string>(study.couponsPerSurvey);
  const { submit, busy, error } = useSubmit(async () => {
    await saveStudy({ name, contact, languages, timeZone, couponsPerSurvey: Number(coupons) });
    onNext();
  });
  return (
    <form onSubmit={submit} noValidate className="desk">
      <Card>
        <TextInput
          label={t('study.fields.name')}
          description={t('study.what.name')}
          required
          error={faultOf(error, 'name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          mt="md"
          label={t('study.fields.contact')}
          description={own('contactWhat')}
          placeholder={own('contactExample')}
          error={faultOf(error, 'contact')}
          value={contact}
          onChange={(event) => setContact(event.currentTarget.value)}
        />
        <NumberInput
          mt="md"
          size="lg"
          label={t('study.fields.couponsPerSurvey')}
          description={t('study.what.couponsPerSurvey')}
          min={0}
          max={10}
          allowDecimal={false}
          error={faultOf(error, 'couponsPerSurvey')}
          value={coupons}
          onChange={setCoupons}
        />
      </Card>
      <Card label={t('study.languages')}>
        <h2>{t('study.languages')}</h2>
        <ul className="desk-plain">
          {languages.map((tag) => (
            <li key={tag}>
              {languageName(tag, language)}
              {languages.length > 1 ? (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('study.removeLanguage', { language: languageWithin(tag, language) })}
                  onClick={() => setLanguages(languages.filter((one) => one !== tag))}
                >
                  <Icon name="trash" size={20} />
                </button>
              ) : null}
            </li>
          ))}
        </ul>
        <AddLanguage
          taken={languages}
          onAdd={(tag) => setLanguages([...languages, tag])}
          error={faultOf(error, 'languages')}
        />
      </Card>
      <MissingWords languages={languages} couponText={study.couponText} />
      <TimeZoneCard
        value={timeZone}
        stored={study}
        onChange={setTimeZone}
        error={faultOf(error, 'timeZone')}
      />
      <FormError error={error} />
      <Button type="submit" size="xl" loading={busy} disabled={coupons === ''}>
        {t('common.next')}
      </Button>
    </form>
  );
}
