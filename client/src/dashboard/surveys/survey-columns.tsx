/** The columns available in the list of interviews. */
import { Group } from '@mantine/core';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { hasOddClock, interviewTimeOf } from '../../phone/work/interview-date.ts';
import { Tag } from '../../ui/notice.tsx';
import type { SurveyListItem } from '../../wire.ts';
import type { ListColumn } from '../kit/list/columns.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { isoMomentOf } from '../kit/words/moment.ts';
import { usePersonName } from '../people/person-names.ts';
import { type RowWithFindings, useMayReadQualityFindings } from '../quality/fetch-findings.ts';
import { ReviewTag } from './review/review-tag.tsx';
import { useFlagText } from './survey-flags.ts';

const MINUTE = 60_000;

/** Null if unknown: not finished, or the clock was wrong. */
function minutesOf(survey: SurveyListItem): number | null {
  if (survey.completedAt === null || hasOddClock(survey)) return null;
  return Math.max(0, Math.round((Date.parse(survey.completedAt) - Date.parse(survey.startedAt)) / MINUTE));
}

export function useSurveyColumns(): ListColumn<RowWithFindings<SurveyListItem>>[] {
  const { t, app, shortMoment, number } = useDashboardText();
  const personOf = usePersonName();
  const flagText = useFlagText();
  const codesOf = ({ issuedCodes }: SurveyListItem) => issuedCodes.map(formatCode).join(', ');
  const flagsOf = ({ flags }: SurveyListItem) =>
    [...new Set(flags.map(({ code }) => flagText(code)))].join(t('common.comma'));
  const seesFindings = useMayReadQualityFindings();
  const findingsOf = ({ findings }: RowWithFindings<SurveyListItem>) =>
    findings?.map(({ check }) => t(`checks.${check}`)).join(t('common.comma')) ?? '…';
  return [
    {
      head: t('surveys.held'),
      cell: (survey) => shortMoment(interviewTimeOf(survey)),
      text: (survey) => isoMomentOf(interviewTimeOf(survey)),
      sort: 'heldAt',
    },
    {
      field: 'status',
      name: 'status',
      cell: (survey) => <State survey={survey} />,
      text: ({ status, review }) =>
        status === 'IN_PROGRESS' ? t('surveys.IN_PROGRESS') : app(`review.${review.state}`),
    },
    ...(seesFindings
      ? [
          {
            head: t('surveys.findings'),
            name: 'findings',
            cell: findingsOf,
            text: findingsOf,
          },
        ]
      : []),
    { field: 'createdAt', as: 'moment', name: 'received', head: t('surveys.arrivedWord'), sort: 'createdAt' },
    { field: 'location', as: 'site', name: 'site' },
    { name: 'interviewer', head: t('surveys.interviewer'), cell: ({ createdBy }) => personOf(createdBy) },
    {
      name: 'coupon',
      head: t('surveys.coupon'),
      cell: ({ referralCode }) => (referralCode ? <CodeText code={referralCode} /> : t('surveys.walkIn')),
      text: ({ referralCode }) => (referralCode ? formatCode(referralCode) : ''),
    },
    {
      name: 'given',
      extra: true,
      head: t('surveys.codes'),
      cell: (survey) => <bdi>{codesOf(survey)}</bdi>,
      text: codesOf,
      roomy: true,
    },
    { field: 'wave', as: 'number', name: 'wave' },
    {
      name: 'minutes',
      extra: true,
      head: t('lists.minutes'),
      cell: (survey) => {
        const minutes = minutesOf(survey);
        return minutes === null ? '–' : number(minutes);
      },
      text: minutesOf,
      numeric: true,
    },
    { field: 'flags', name: 'flags', extra: true, cell: flagsOf, roomy: true },
  ];
}

/** Whether it is flagged, and its progress: started, or finished with a review state. */
function State({ survey }: { survey: SurveyListItem }) {
  const { t } = useDashboardText();
  return (
    <Group gap={4}>
      {survey.flags.length > 0 ? <Tag tone="warn">{t('surveys.flagged')}</Tag> : null}
      {survey.status === 'IN_PROGRESS' ? (
        <Tag tone="info">{t('surveys.IN_PROGRESS')}</Tag>
      ) : (
        <ReviewTag state={survey.review.state} />
      )}
    </Group>
  );
}
