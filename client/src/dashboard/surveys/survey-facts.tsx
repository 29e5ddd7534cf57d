/** When and where an interview was held, by whom, and its place in recruitment. */
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { hasOddClock } from '../../phone/work/interview-date.ts';
import { useReadsAll } from '../../session/session.tsx';
import { localeTagOf } from '../../texts/i18n.ts';
import { LeftToRight } from '../../ui/left-to-right.tsx';
import { Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Questionnaire, Survey } from '../../wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { FactList, type FactListEntry } from '../kit/words/fact-list.tsx';
import { usePersonName } from '../people/person-names.ts';
import { TextingStatus } from './survey-contact.tsx';
import { numberText, Recruiter } from './survey-recruitment.tsx';
import { SurveySite } from './survey-site.tsx';

/** "Nov 21, 2026, 11:00 – 11:25 AM", or just the start. */
function spanOf({ startedAt, completedAt }: Survey, language: string): string {
  const format = new Intl.DateTimeFormat(localeTagOf(language), { dateStyle: 'medium', timeStyle: 'short' });
  return completedAt
    ? format.formatRange(new Date(startedAt), new Date(completedAt))
    : format.format(new Date(startedAt));
}

/** Impossible times are shown as the phone reported them, with a note that they don't count. */
function InterviewTimes({ survey }: { survey: Survey }) {
  const { t, language } = useDashboardText();
  return (
    <>
      {spanOf(survey, language)}
      {hasOddClock(survey) ? (
        <Text size="sm" c="dimmed" component="span" display="block" fw={400}>
          {t('surveys.oddClock')}
        </Text>
      ) : null}
    </>
  );
}

interface FactsProps {
  survey: Survey;
  /** The interview's questionnaire; undefined while loading. */
  questionnaire: Questionnaire | undefined;
  onChange(): void;
}

export function SurveyFacts({ survey, questionnaire, onChange }: FactsProps) {
  const { t, language, moment } = useDashboardText();
  const personOf = usePersonName();
  const mayTree = useReadsAll('Recruitment');
  const { coordinates, seed } = survey;
  const facts: FactListEntry[] = [
    [
      t('common.status'),
      <Tag key="status" tone={survey.status === 'COMPLETED' ? 'good' : 'info'}>
        {t(`surveys.${survey.status}`)}
      </Tag>,
    ],
    [t('common.site'), <SurveySite key="site" survey={survey} onChange={onChange} />],
    [t('surveys.interviewer'), personOf(survey.createdBy)],
    [t('surveys.held'), <InterviewTimes key="held" survey={survey} />],
    [t('surveys.arrivedWord'), moment(survey.createdAt)],
    [t('surveys.networkSize'), numberText(survey.networkSize, language)],
    [
      t('surveys.coupon'),
      survey.referralCode ? <CodeText key="code" code={survey.referralCode} /> : t('surveys.walkIn'),
    ],
    [t('surveys.recruiter'), <Recruiter key="recruiter" survey={survey} />],
    [t('tree.waveWord'), numberText(survey.wave, language)],
    [
      t('tree.title'),
      seed && mayTree ? (
        <Link key="tree" to={`/desk/tree/${seed}?person=${survey.id}`}>
          {t('surveys.showTree')}
        </Link>
      ) : null,
    ],
    [
      t('study.texts.title'),
      survey.contact ? <TextingStatus key="contact" survey={survey} onChange={onChange} /> : null,
    ],
    [t('surveys.questions'), questionnaire ? t('versions.nameAndVersion', questionnaire) : '…'],
    [
      t('surveys.position'),
      coordinates ? (
        <LeftToRight key="place">
          {`${coordinates.latitude.toFixed(4)}, ${coordinates.longitude.toFixed(4)}`}
        </LeftToRight>
      ) : null,
    ],
  ];
  return (
    <Card heading={t('surveys.facts')}>
      <FactList look="beside" facts={facts} />
    </Card>
  );
}
