/** An interview's place in recruitment: its recruiter, recruits, and coupons. */
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { arrivedOtherDay, interviewTimeOf } from '../../phone/work/interview-date.ts';
import { useLocationName } from '../../session/records.ts';
import { useAbility } from '../../session/session.tsx';
import { numberInLanguage } from '../../texts/i18n.ts';
import { FormError } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListOf, Survey, SurveyListItem } from '../../wire.ts';
import type { ReferralCode } from '../kit/data/dashboard-wire.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { StateTag } from '../kit/words/state-tag.tsx';
import { SurveyLink } from '../referral-codes/code-traces.tsx';

/** The interview that handed out this one's coupon, as far as this person may see it. */
export function Recruiter({ survey }: { survey: Survey }) {
  const { t } = useDashboardText();
  if (survey.recruiter === null) return t(survey.seed ? 'surveys.fromSeed' : 'surveys.recruiterUnknown');
  return <SurveyLink id={survey.recruiter} />;
}

export function Recruits({ survey }: { survey: Survey }) {
  const { t, moment } = useDashboardText();
  const siteOf = useLocationName();
  const query = useGet<ListOf<SurveyListItem>>(`/api/surveys?recruiter=${survey.id}&sort=createdAt`);
  const rows = query.data?.data;
  return (
    <Card heading={t('tree.recruits')}>
      <FormError error={query.error} />
      {query.isPending ? <Skeleton height={22} mt="sm" /> : null}
      {rows?.length === 0 ? <Text c="dimmed">{t('surveys.noRecruits')}</Text> : null}
      {rows && rows.length > 0 ? (
        <ul className="rows survey-list">
          {rows.map((row) => (
            <li key={row.id}>
              <Link to={`/desk/surveys/${row.id}`}>
                {row.referralCode ? <CodeText code={row.referralCode} /> : moment(interviewTimeOf(row))}
              </Link>
              {row.referralCode ? <span>{moment(interviewTimeOf(row))}</span> : null}
              <span>{siteOf(row.location)}</span>
              <ArrivalDay heldAt={interviewTimeOf(row)} arrived={row.createdAt} />
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

/** Coupon states, for people who may see codes; others only see which were handed out. */
export function IssuedCodes({ survey, children }: { survey: Survey; children?: ReactNode }) {
  const { t } = useDashboardText();
  const may = useAbility().can('read', 'ReferralCode');
  const query = useGet<ListOf<ReferralCode>>(`/api/referral-codes?survey=${survey.id}&limit=200`, {
    enabled: may,
  });
  const codes: CodeLineProps[] = query.data?.data ?? survey.issuedCodes.map((code) => ({ code }));
  return (
    <Card heading={t('surveys.codes')}>
      <FormError error={query.error} />
      {codes.length === 0 ? <Text c="dimmed">{t('surveys.noCodes')}</Text> : null}
      <ul className="rows survey-list">
        {codes.map((row) => (
          <CodeLine key={row.code} {...row} />
        ))}
      </ul>
      {children}
    </Card>
  );
}

type CodeLineProps = Pick<ReferralCode, 'code'> & Partial<ReferralCode>;

function CodeLine({ code, state, redeemedBy, expiresAt }: CodeLineProps) {
  const { t, moment } = useDashboardText();
  return (
    <li>
      <CodeText code={code} />
      {state ? <StateTag of="coupons.states" state={state} /> : null}
      {state === 'LIVE' && expiresAt ? <span>{t('surveys.until', { at: moment(expiresAt) })}</span> : null}
      {redeemedBy ? <Link to={`/desk/surveys/${redeemedBy}`}>{t('surveys.redeemedBy')}</Link> : null}
    </li>
  );
}

export const numberText = (value: number | null, language: string): string =>
  value === null ? '–' : numberInLanguage(value, language);

/** The day the interview arrived, if it isn't the day it was held. */
function ArrivalDay({ heldAt: interviewAt, arrived }: { heldAt: string; arrived: string }) {
  const { t, moment } = useDashboardText();
  if (!arrivedOtherDay(interviewAt, arrived)) return null;
  return (
    <Text size="sm" c="dimmed" component="span" className="dashboard-arrived">
      {t('surveys.arrivedOn', { at: moment(arrived) })}
    </Text>
  );
}
