/** Why an interview looks suspect: its open findings, each with figures, advice, and a button to dismiss it. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { RowActions } from '../kit/list/list-actions.tsx';
import { useDismissAction } from './dismiss-action.ts';
import { type Finding, qualityFindingsPath, useMayReadQualityFindings } from './fetch-findings.ts';
import { useFindingTexts } from './finding-texts.ts';

export function SurveyFindings({ survey }: { survey: string }) {
  const { t } = useTranslation('quality');
  const { data, isPlaceholderData, error } = useGet<ListOf<Finding>>(qualityFindingsPath([survey]), {
    enabled: useMayReadQualityFindings(),
  });
  const findings = isPlaceholderData ? [] : (data?.data ?? []);
  if (findings.length === 0) return <FormError error={error} />;
  return (
    <Card heading={t('ofSurvey')}>
      <ul className="rows">
        {findings.map((finding) => (
          <FindingLine key={finding.id} finding={finding} />
        ))}
      </ul>
    </Card>
  );
}

function FindingLine({ finding }: { finding: Finding }) {
  const { t } = useTranslation('dashboard');
  const { ruleOf, toDoOf, figureOf, limitOf } = useFindingTexts();
  const dismiss = useDismissAction();
  const name = t(`checks.${finding.check}`);
  return (
    <li>
      <div>
        <b>{name}:</b> {figureOf(finding)} <Text component="span">({limitOf(finding)})</Text>
        <Text size="sm">{toDoOf(finding)}</Text>
        <Text size="sm" c="dimmed">
          {ruleOf(finding)}
        </Text>
      </div>
      <RowActions actions={[dismiss(finding)]} record={name} />
    </li>
  );
}
