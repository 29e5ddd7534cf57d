/** Whether the study requires passkeys, and who would be locked out, shown before saving. */
import { Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import { StudyPatch } from '../../../../src/study/settings/schema.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf, User } from '../../wire.ts';
import { FormFields } from '../kit/actions/fields.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { type StudySettings, useSettingLabels } from './setting-labels.ts';

const MODES = ['OFF', 'OPTIONAL', 'REQUIRED'] as const;

interface SecondFactorCardProps {
  value: StudySettings;
  set(change: Partial<StudySettings>): void;
  mayChange: boolean;
}

export function SecondFactorPolicyCard({ value, set, mayChange }: SecondFactorCardProps) {
  const { t } = useDashboardText();
  const words = useSettingLabels();
  return (
    <Card heading={t('study.signIn')}>
      <FormFields
        form={{ value, set }}
        schema={StudyPatch}
        words={words}
        size="md"
        rows={[
          {
            name: 'secondFactor',
            as: 'choice',
            disabled: !mayChange,
            options: MODES.map((mode) => ({ value: mode, label: t(`study.secondFactor.${mode}`) })),
          },
        ]}
      />
      {value.secondFactor === 'REQUIRED' ? <PeopleWithoutPasskey /> : null}
    </Card>
  );
}

function PeopleWithoutPasskey() {
  const { t } = useDashboardText();
  const { data } = useGet<ListOf<User> & { total: number }>(
    '/api/users?withoutPasskey=true&limit=1&total=true',
  );
  if (!data) return null;
  const count = data.total;
  if (count === 0) return <Text mt="sm">{t('study.secondFactorAll')}</Text>;
  return (
    <Box mt="sm">
      <Notice tone="warn" title={t('study.secondFactorMissing', { count })}>
        <Link className="tall-link" to="/desk/people?withoutPasskey=true">
          {t('study.secondFactorShow')}
        </Link>
      </Notice>
    </Box>
  );
}
