/** Which of the questionnaires' calculated values are outcomes: none until a super admin has checked its formula. */
import { Checkbox } from '@mantine/core';
import { formulaTextsByName } from '../../../../src/platform/lib/text/formula-texts.ts';
import type { Questionnaire } from '../../wire.ts';
import { useAllPages } from '../kit/data/use-all-pages.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import type { StudySettings } from './setting-labels.ts';

const MAX_VERSIONS = 500;
type Outcomes = StudySettings['outcomes'];

interface CalculatedOutcomesProps {
  outcomes: Outcomes;
  set(outcomes: Outcomes): void;
}

export function CalculatedOutcomes({ outcomes, set }: CalculatedOutcomesProps) {
  const { t } = useDashboardText();
  const { data: versions = [] } = useAllPages<Questionnaire>('/api/questionnaires', {
    maxRows: MAX_VERSIONS,
  });
  const outcomeNames = outcomes.flatMap((one) => (one.fromQuestionnaire === true ? [one.name] : []));
  const formulas = formulasByName(versions);
  const names = [...new Set([...formulas.keys(), ...outcomeNames])].sort();
  if (names.length === 0) return null;
  return (
    <Checkbox.Group
      mt="lg"
      label={t('study.calculated.title')}
      description={t('study.calculated.what')}
      value={outcomeNames}
      onChange={(chosen) =>
        set([
          ...outcomes.filter((one) => one.fromQuestionnaire !== true),
          ...chosen.map((name) => ({ name, fromQuestionnaire: true as const })),
        ])
      }
    >
      {names.map((name) => (
        <Checkbox
          key={name}
          mt="sm"
          size="md"
          value={name}
          label={<bdi>{name}</bdi>}
          description={<bdi dir="ltr">{[...(formulas.get(name) ?? [])].join(' · ')}</bdi>}
        />
      ))}
    </Checkbox.Group>
  );
}

/** A value's formula may differ between questionnaire versions. */
function formulasByName(versions: readonly Questionnaire[]): Map<string, Set<string>> {
  const formulas = new Map<string, Set<string>>();
  for (const { definition } of versions)
    for (const { name, text, isStored } of formulaTextsByName(definition).values())
      if (isStored) formulas.set(name, (formulas.get(name) ?? new Set()).add(text));
  return formulas;
}
