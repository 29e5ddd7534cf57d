/** One coupon: whether it is valid, its interviews, and the people recruited with it. */
import { Skeleton, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { formatCode, plainCode } from '../../../../src/coupons/referral-codes/code.ts';
import { interviewTimeOf } from '../../phone/work/interview-date.ts';
import { useLocationName } from '../../session/records.ts';
import { readsAll } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf, SurveyListItem, CodeVerdict as Verdict } from '../../wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { DashboardPage } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { HiddenInterviewsNote } from '../people/ask-super-admin.tsx';
import { CodeVerdictNotice } from './code-verdict.tsx';

const PAGE_SIZE = '50';

export default function CodePage() {
  const { t } = useDashboardText();
  const ability = useAbility();
  const codeParam = useParams().code ?? '';
  const code = plainCode(codeParam);
  const path = encodeURIComponent(code);
  const verdict = useGet<Verdict>(`/api/validate-referral-code/${path}`);
  const interviews = useGet<ListOf<SurveyListItem>>(`/api/surveys?search=${path}&limit=${PAGE_SIZE}`);
  const rows = interviews.data?.data ?? [];
  const redeemer = rows.find(({ referralCode }) => referralCode === code);
  const recruits = useGet<ListOf<SurveyListItem>>(
    `/api/surveys?recruiter=${redeemer?.id}&sort=createdAt&limit=${PAGE_SIZE}`,
    { enabled: redeemer !== undefined },
  );
  const partOf = ({ id, issuedCodes }: SurveyListItem) =>
    id === redeemer?.id ? 'brought' : issuedCodes.includes(code) ? 'gave' : 'late';
  return (
    // A non-breaking hyphen.
    <DashboardPage
      title={t('lookUp.one', { code: formatCode(code).replace('-', '\u2011') })}
      back="/desk/coupons"
    >
      <FormError error={verdict.error ?? interviews.error} />
      {verdict.data ? (
        <CodeVerdictNotice
          verdict={verdict.data}
          listedIds={interviews.isPending ? null : rows.map(({ id }) => id)}
        />
      ) : verdict.error ? null : (
        <Skeleton height={60} />
      )}
      {interviews.data ? (
        <Card heading={t('surveys.title')}>
          <Interviews
            rows={rows}
            none={t('lookUp.noInterviews')}
            why={readsAll(ability, 'Survey') ? null : <HiddenInterviewsNote />}
            say={(row) => t(`lookUp.part.${partOf(row)}`)}
          />
        </Card>
      ) : null}
      {redeemer && recruits.data ? (
        <Card heading={t('tree.recruits')}>
          <Interviews rows={recruits.data.data} none={t('surveys.noRecruits')} say={codeOf} />
        </Card>
      ) : null}
    </DashboardPage>
  );
}

const codeOf = ({ referralCode }: SurveyListItem) => (referralCode ? formatCode(referralCode) : '');

interface InterviewsProps {
  rows: SurveyListItem[];
  none: string;
  /** Why there may be some anyway. */
  why?: React.ReactNode;
  say(row: SurveyListItem): string;
}

function Interviews({ rows, none, why, say }: InterviewsProps) {
  const { shortMoment } = useDashboardText();
  const siteOf = useLocationName();
  if (rows.length === 0)
    return (
      <Text c="dimmed">
        {none} {why}
      </Text>
    );
  return (
    <ul className="rows dashboard-interviews">
      {rows.map((row) => (
        <li key={row.id}>
          <Link to={`/desk/surveys/${row.id}`}>{shortMoment(interviewTimeOf(row))}</Link>
          <span>{siteOf(row.location)}</span>
          <bdi>{say(row)}</bdi>
        </li>
      ))}
    </ul>
  );
}
