/** The time zone that decides what day it is: the study's, or the server's if the study has none. */
import { Box, Text } from '@mantine/core';
import { useMemo } from 'react';
import { StudyPatch } from '../../../../src/study/settings/schema.ts';
import { useAbility } from '../../session/session.tsx';
import { localeTagOf } from '../../texts/i18n.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Study } from '../../wire.ts';
import { FormFields } from '../kit/actions/fields.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

interface TimeZoneCardProps {
  /** The value in the form. */
  value: string | null;
  /** The stored time zone, which currently decides where a day begins. */
  stored: Pick<Study, 'timeZone' | 'zone'>;
  set(change: { timeZone: string | null }): void;
}

export function TimeZoneCard({ value, stored, set }: TimeZoneCardProps) {
  const { t, language } = useDashboardText();
  const ability = useAbility();
  const mayChange = ability.can('update', 'Study', 'timeZone');
  // The server's time zone is only known while it is in use.
  const ofServer = stored.timeZone === null ? stored.zone : undefined;
  const zone = value ?? ofServer;
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = useMemo(
    () => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own, ...(value ? [value] : [])])].sort(),
    [own, value],
  );
  const server = t('study.timeZoneServer');
  return (
    <Card heading={t('study.timeZone')}>
      <FormFields
        form={{ value: { timeZone: value }, set: ({ timeZone = null }) => set({ timeZone }) }}
        schema={StudyPatch}
        size="md"
        rows={[
          {
            name: 'timeZone',
            as: 'choice',
            description: t(mayChange ? 'study.timeZoneWhat' : 'study.timeZoneWho'),
            disabled: !mayChange,
            options: [
              { value: '', label: ofServer ? `${server}: ${ofServer}` : server },
              ...zones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
            ],
          },
        ]}
      />
      {zone ? (
        <Text mt="sm">
          <b>{zone}</b>: {t('study.timeZoneNow', { now: nowIn(zone, language) })}
        </Text>
      ) : null}
      {zone && zone !== own ? (
        <Box mt="sm">
          <Notice tone="info" title={t('study.timeZoneOther', { zone: own })} />
        </Box>
      ) : null}
    </Card>
  );
}

const nowIn = (timeZone: string, language: string) =>
  new Intl.DateTimeFormat(localeTagOf(language), {
    timeZone,
    dateStyle: 'full',
    timeStyle: 'short',
  }).format();
