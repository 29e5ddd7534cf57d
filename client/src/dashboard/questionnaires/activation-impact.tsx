/** What activating a version changes for the results, with figures, shown before deciding. */
import { Stack, Text } from '@mantine/core';
import type { ActivationImpact } from '../../../../src/statistics/activation/schema.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export function ActivationImpactList({ impact }: { impact: ActivationImpact }) {
  const { t, language } = useDashboardText();
  const { outcomes, networkSize, eligibility, counts } = impact;
  const changedOutcomes = outcomes.filter(({ change }) => change !== 'KEPT');
  return (
    <Stack gap={6} my={12}>
      {networkSize === 'LOST' ? <Text c="red">{t('versions.impact.sizeLost')}</Text> : null}
      {eligibility === 'KEPT' ? null : <Text>{t(`versions.impact.eligibility.${eligibility}`)}</Text>}
      {counts.map(({ name }) => (
        <Text key={name} c="red">
          {t('versions.impact.count', { name })}
        </Text>
      ))}
      {outcomes.length > 0 ? (
        <Text>{t('versions.impact.kept', { number: outcomes.length - changedOutcomes.length })}</Text>
      ) : null}
      <ul className="bullets">
        {changedOutcomes.map(({ name, title, change, interviews }) => (
          <li key={name}>
            {t(`versions.impact.change.${change as 'CHOICES' | 'NOT_ASKED' | 'KIND'}`, {
              name: title[language] || title.en || name,
              number: interviews,
            })}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
