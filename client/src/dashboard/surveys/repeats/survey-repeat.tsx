/**
 * For someone who may have been interviewed before: how similar the two interviews are, and both side by side if the
 * user may read them.
 */
import { Text } from '@mantine/core';
import { useLocationName } from '../../../session/records.ts';
import { formatDay } from '../../../texts/i18n.ts';
import { Card } from '../../../ui/page.tsx';
import type { Flag, Survey } from '../../../wire.ts';
import { useRecord } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { RepeatDecision } from './repeat-decision.tsx';
import { SurveysSideBySide } from './survey-side-by-side.tsx';

export function PossibleRepeat({ survey }: { survey: Survey }) {
  const flag = survey.flags.find(({ code }) => code === 'POSSIBLE_REPEAT');
  return flag?.other ? (
    <EarlierInterview survey={survey} strength={flag.strength} other={flag.other} />
  ) : null;
}

interface BeforeProps {
  survey: Survey;
  strength: Flag['strength'];
  other: NonNullable<Flag['other']>;
}

function EarlierInterview({ survey, strength, other }: BeforeProps) {
  const { t, language } = useDashboardText();
  const siteOf = useLocationName();
  const { data: first = null } = useRecord<Survey>(`/api/surveys/${other.survey}`, other.survey !== null);
  return (
    <Card heading={t('surveys.repeat')}>
      <Text>{t(strength === 'EXACT' ? 'surveys.repeatExact' : 'surveys.repeatNear')}</Text>
      <Text>
        {t('surveys.repeatWhen', { day: formatDay(other.day, language), site: siteOf(other.location) })}
      </Text>
      {first ? <SurveysSideBySide survey={survey} first={first} head={t('surveys.earlier')} /> : null}
      {other.survey === null ? <Text mt="sm">{t('repeats.closed')}</Text> : null}
      {other.survey === null || first ? <RepeatDecision survey={survey} first={first} /> : null}
    </Card>
  );
}
