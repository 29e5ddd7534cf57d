/** First step of the setup wizard: the study's name, contact, languages and number of coupons. */

import { Button, Group, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageName } from '../../../../src/platform/lib/languages/language-name.ts';
import { StudyPatch } from '../../../../src/study/settings/schema.ts';
import { pickChangedFields } from '../../device/edits.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Study } from '../../wire.ts';
import { FormErrorContext, FormFields } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { ListSkeleton } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { MissingStudyTranslations } from '../study/missing-translations.tsx';
import { useSettingLabels } from '../study/setting-labels.ts';
import { AddStudyLanguage, RemoveStudyLanguageButton } from '../study/study-languages.tsx';
import { TimeZoneCard } from '../study/time-zone.tsx';

interface StepProps {
  onNext(): void;
}

export function FirstRunStudyStep({ onNext }: StepProps) {
  const { t } = useDashboardText();
  const study = useGet<Study>('/api/study');
  return study.data ? (
    <StudyStep study={study.data} onNext={onNext} />
  ) : (
    <ListSkeleton label={t('study.title')} />
  );
}

function StudyStep({ study, onNext }: StepProps & { study: Study }) {
  const { t, language } = useDashboardText();
  const { t: own } = useTranslation('first-run');
  const { name, contact, languages, timeZone, couponsPerSurvey, deviceLock } = study;
  const [before] = useState({ name, contact, languages, timeZone, couponsPerSurvey, deviceLock });
  // The browser's time zone is a better guess than the server's.
  const zoneHere = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [value, setValue] = useState<typeof before>({ ...before, timeZone: timeZone ?? zoneHere });
  const set = (change: Partial<typeof value>) => setValue({ ...value, ...change });
  const words = useSettingLabels();
  const { submit, busy, error } = useSubmit(async () => {
    // Sends only changes, since someone else may have changed the other fields.
    const changes = pickChangedFields(value, before);
    if (Object.keys(changes).length > 0) await sendChange('PATCH', '/api/study', changes);
    onNext();
  });
  return (
    <FormErrorContext value={error}>
      <form onSubmit={submit} noValidate className="dashboard">
        <Card>
          <FormFields
            form={{ value, set }}
            schema={StudyPatch}
            words={words}
            rows={[
              { name: 'name', attributes: { required: true } },
              {
                name: 'contact',
                description: own('contactWhat'),
                attributes: { placeholder: own('contactExample') },
              },
              'couponsPerSurvey',
            ]}
          />
        </Card>
        <Card heading={t('study.languages')}>
          <ul className="rows">
            {value.languages.map((tag) => (
              <li key={tag}>
                {languageName(tag, language)}
                {value.languages.length > 1 ? (
                  <RemoveStudyLanguageButton tag={tag} form={{ value, set }} />
                ) : null}
              </li>
            ))}
          </ul>
          <AddStudyLanguage value={value} set={set} />
        </Card>
        <MissingStudyTranslations languages={value.languages} couponText={study.couponText} />
        <LockCard value={value} set={set} />
        <TimeZoneCard value={value.timeZone} stored={study} set={set} />
        <FormError error={error} />
        <Button type="submit" size="xl" loading={busy} disabled={String(value.couponsPerSurvey) === ''}>
          {t('common.next')}
        </Button>
      </form>
    </FormErrorContext>
  );
}

type Locked = Pick<Study, 'deviceLock'>;

/** Asks whether a seized phone could cause harm, and recommends a PIN. Nothing is preselected. */
function LockCard({ value, set }: { value: Locked; set(change: Partial<Locked>): void }) {
  const { t: own } = useTranslation('first-run');
  const [harm, setHarm] = useState(value.deviceLock === 'PIN' ? 'yes' : null);
  const choose = (answer: string) => {
    setHarm(answer);
    set({ deviceLock: answer === 'yes' ? 'PIN' : 'OFF' });
  };
  return (
    <Card>
      <Radio.Group
        size="lg"
        label={own('harm.question')}
        description={own('harm.what')}
        value={harm}
        onChange={choose}
      >
        <Group mt="sm" gap="xl">
          <Radio size="lg" value="yes" label={own('harm.yes')} />
          <Radio size="lg" value="no" label={own('harm.no')} />
        </Group>
      </Radio.Group>
      {harm === 'yes' ? (
        <FormFields
          form={{ value, set }}
          rows={[
            {
              name: 'deviceLock',
              values: ['PIN', 'OFF'],
              label: own('harm.pin'),
              description: own('harm.pinWhat'),
            },
          ]}
        />
      ) : null}
    </Card>
  );
}
