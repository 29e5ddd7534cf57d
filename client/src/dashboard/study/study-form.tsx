/**
 * All of the study's settings in one form. Only changed fields are sent, so that two people don't undo each other's
 * changes.
 */

import { Box, Button, Text } from '@mantine/core';
import { StudyPatch } from '../../../../src/study/settings/schema.ts';
import { useEdits } from '../../device/edits.ts';
import { request } from '../../session/api.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Study } from '../../wire.ts';
import { FormErrorContext, type FormFieldRow, FormFields, type FormState } from '../kit/actions/fields.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { useToast } from '../kit/actions/use-actions.ts';
import { inactiveProps } from '../kit/buttons/inactive-button.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { MissingStudyTranslations } from './missing-translations.tsx';
import { SecondFactorPolicyCard } from './second-factor.tsx';
import { type StudySettings, useSettingLabels } from './setting-labels.ts';
import { IncentiveSettingsCard, padIncentiveDecimals } from './study-incentives.tsx';
import { StudyLanguages } from './study-languages.tsx';
import { StudyMessageSettings } from './study-messages.tsx';
import { StudyOutcomes } from './study-outcomes.tsx';
import { SiteSizesForm } from './study-sites.tsx';
import { TimeZoneCard } from './time-zone.tsx';

const GENERAL_FIELDS: FormFieldRow<StudySettings>[] = [
  { name: 'name', attributes: { required: true } },
  { name: 'contact', as: 'lines' },
  'organization',
  { name: 'publicationContact', attributes: { dir: 'ltr' } },
  'targetSampleSize',
  'endsOn',
  'siteRadius',
  ['dueFrom', 'dueTo'],
];
const PRIVACY: FormFieldRow<StudySettings>[] = [
  'retentionDays',
  { name: 'deviceLock', values: ['PIN', 'OFF'] },
  'lockAfterMinutes',
  { name: 'statusPage', values: ['ON', 'OFF'] },
];
const COUPON_FIELDS: FormFieldRow<StudySettings>[] = [
  'couponsPerSurvey',
  'couponValidDays',
  'couponStartsAfterHours',
];
const MODES = ['IN_PERSON', 'PHONE', 'SELF', 'MIXED'] as const;
const RESULTS: FormFieldRow<StudySettings>[] = [
  'populationSize',
  'populationSizeLow',
  'populationSizeHigh',
  'smallestCell',
  { name: 'siteQuestion', attributes: { dir: 'ltr' } },
  { name: 'analysisRuns', values: ['AUTOMATIC', 'OFF'] },
  'repeatCheck',
  'reEnrolAfterDays',
];

const WITH_ENTRIES = ['couponText', 'contactTexts', 'incentives'] as const;

export function StudyForm({ study }: { study: Study }) {
  const { t } = useDashboardText();
  const toast = useToast();
  const ability = useAbility();
  const words = useSettingLabels();
  const { value, set, edits, discard, saved } = useEdits<StudySettings>('study', study, WITH_ENTRIES);
  const { submit, busy, error } = useSubmit(async () => {
    const { incentives, couponText, contactTexts } = edits;
    // The service replaces each of these as a whole.
    const newest = await request<Study>('GET', '/api/study');
    const body = {
      ...edits,
      ...(couponText && { couponText: { ...newest.couponText, ...couponText } }),
      ...(contactTexts && { contactTexts: { ...newest.contactTexts, ...contactTexts } }),
      ...(incentives && { incentives: padIncentiveDecimals({ ...newest.incentives, ...incentives }) }),
    };
    await sendChange('PATCH', '/api/study', body);
    saved(edits);
    toast(t('common.saved'));
  });
  const changed = Object.keys(edits).length;
  const form = {
    value,
    set,
    mayChange: (field: string) => ability.can('update', asPermissionSubject('Study', study), field),
  } satisfies FormState<StudySettings>;
  const fields = (rows: FormFieldRow<StudySettings>[]) => (
    <FormFields form={form} schema={StudyPatch} words={words} size="md" rows={rows} />
  );
  const modeRow: FormFieldRow<StudySettings> = {
    name: 'interviewMode',
    as: 'choice',
    options: [
      { value: '', label: t('study.interviewMode.none') },
      ...MODES.map((mode) => ({ value: mode, label: t(`study.interviewMode.${mode}`) })),
    ],
  };
  return (
    <FormErrorContext value={error}>
      <form onSubmit={submit} noValidate className="dashboard">
        <div className="dashboard-cards">
          <Card heading={t('study.about')}>
            {fields(GENERAL_FIELDS)}
            <Text size="sm" c="dimmed" mt={6}>
              {t('study.what.due')}
            </Text>
          </Card>
          <Card heading={t('study.coupons')}>
            {fields(COUPON_FIELDS)}
            <Text size="sm" c="dimmed" mt="md">
              {t('study.onlyNew')}
            </Text>
          </Card>
          <IncentiveSettingsCard {...form} />
          <TimeZoneCard value={value.timeZone} stored={study} set={set} />
          <Card heading={t('study.languages')}>
            <StudyLanguages value={value} set={set} />
            <Box mt="md">
              <MissingStudyTranslations languages={value.languages} couponText={value.couponText} />
            </Box>
          </Card>
          <Card heading={t('study.results')}>{fields([...RESULTS, modeRow])}</Card>
          {form.mayChange('contacts') ? <StudyMessageSettings {...form} /> : null}
          <SecondFactorPolicyCard value={value} set={set} mayChange={form.mayChange('secondFactor')} />
          <Card heading={t('study.privacy')}>{fields(PRIVACY)}</Card>
          {form.mayChange('siteSizes') ? <SiteSizesForm value={value} set={set} /> : null}
          {form.mayChange('outcomes') ? <StudyOutcomes value={value} set={set} /> : null}
        </div>
        <FormError error={error} />
        <div className="dashboard-bar" data-quiet={changed === 0 || undefined}>
          <span role="status">
            {changed > 0 ? t('study.changed', { count: changed }) : t('study.unchanged')}
          </span>
          {changed > 0 ? (
            <Button variant="default" onClick={discard}>
              {t('study.discard')}
            </Button>
          ) : null}
          <Button type="submit" loading={busy} {...inactiveProps(changed === 0)}>
            {t('common.save')}
          </Button>
        </div>
      </form>
    </FormErrorContext>
  );
}
