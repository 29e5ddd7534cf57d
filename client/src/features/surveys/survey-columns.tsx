/** What the list of interviews can show of each. */
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { plainMomentOf, shortMomentOf } from '../../desk/moment.ts';
import type { Column } from '../../desk/rows.tsx';
import { numberOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { Tag } from '../../ui/notice.tsx';
import type { SurveyRow } from '../../wire.ts';
import { CodeText } from '../coupons/code-text.tsx';
import { usePersonName } from '../people/person-names.ts';
import { hasOddClock, heldAt } from '../work/held-at.ts';
import { useFlagText } from './survey-flags.ts';

const MINUTE = 60_000;

/** Null where it can not be said: not finished, or by a clock that was wrong. */
function minutesOf(survey: SurveyRow): number | null {
  if (survey.completedAt === null || hasOddClock(survey)) return null;
  return Math.max(0, Math.round((Date.parse(survey.completedAt) - Date.parse(survey.startedAt)) / MINUTE));
}

export function useColumns(): Column<SurveyRow>[] {
  const { t, language } = useDeskText();
  const siteOf = useLocationName();
  const personOf = usePersonName();
  const flagText = useFlagText();
  const figure = (value: number | null) => (value === null ? '–' : numberOf(value, language));
  const codesOf = ({ issuedCodes }: SurveyRow) => issuedCodes.map(formatCode).join(', ');
  const flagsOf = ({ flags }: SurveyRow) =>
    [...new Set(flags.map(({ code }) => flagText(code)))].join(t('common.comma'));
  return [
    {
      head: t('surveys.held'),
      cell: (survey) => shortMomentOf(heldAt(survey), language),
      text: (survey) => plainMomentOf(heldAt(survey)),
      sort: 'heldAt',
    },
    {
      name: 'received',
      head: t('surveys.arrivedWord'),
      cell: ({ createdAt }) => shortMomentOf(createdAt, language),
      text: ({ createdAt }) => plainMomentOf(createdAt),
      sort: 'createdAt',
    },
    { name: 'site', head: t('common.site'), cell: ({ location }) => siteOf(location), roomy: true },
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
    {
      name: 'wave',
      head: t('tree.waveWord'),
      cell: ({ wave }) => figure(wave),
      text: ({ wave }) => wave,
      numeric: true,
    },
    {
      name: 'networkSize',
      head: t('surveys.networkSize'),
      cell: ({ networkSize }) => figure(networkSize),
      text: ({ networkSize }) => networkSize,
      numeric: true,
    },
    {
      name: 'minutes',
      extra: true,
      head: t('lists.minutes'),
      cell: (survey) => figure(minutesOf(survey)),
      text: minutesOf,
      numeric: true,
    },
    {
      name: 'status',
      head: t('common.status'),
      cell: (survey) => <State survey={survey} />,
      text: ({ status }) => t(`surveys.${status}`),
    },
    { name: 'flags', extra: true, head: t('surveys.flags'), cell: flagsOf, roomy: true },
  ];
}

function State({ survey }: { survey: SurveyRow }) {
  const { t } = useDeskText();
  if (survey.flags.length > 0) return <Tag tone="warn">{t('surveys.flagged')}</Tag>;
  if (survey.status === 'IN_PROGRESS') return <Tag tone="info">{t('surveys.IN_PROGRESS')}</Tag>;
  return t('surveys.COMPLETED');
}
