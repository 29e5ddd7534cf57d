/** Links to where a code was used: the interview that handed it out, the one it was returned in, and their tree. */
import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { interviewTimeOf } from '../../phone/work/interview-date.ts';
import { NoSignal } from '../../session/api.ts';
import { useLocationName } from '../../session/records.ts';
import { useAbility, useReadsAll } from '../../session/session.tsx';
import type { ListOf, Survey } from '../../wire.ts';
import type { ReferralCode } from '../kit/data/dashboard-wire.ts';
import { useGet, useRecord } from '../kit/data/use-list.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { FactList, type FactListEntry } from '../kit/words/fact-list.tsx';

interface CodeTracesProps {
  code: string;
  /** Interviews that the page already shows. */
  listedIds?: string[];
}

/** Nothing for people who may not see codes, or if the code isn't one of the study's. */
export function CodeTraces({ code, listedIds = [] }: CodeTracesProps) {
  const enabled = useAbility().can('read', 'ReferralCode');
  const query = useGet<ListOf<ReferralCode>>(`/api/referral-codes?code=${encodeURIComponent(code)}`, {
    enabled,
  });
  const row = query.data?.data.find((one) => one.code === code);
  if (enabled && query.isPending) return <Skeleton height={22} mt="sm" />;
  return row ? <Traces row={row} told={listedIds} /> : null;
}

function Traces({
  row: { survey, seed, redeemedBy },
  told: listedIds,
}: {
  row: ReferralCode;
  told: string[];
}) {
  const { t } = useDashboardText();
  const mayTree = useReadsAll('Recruitment');
  const redeemer = useRecord<Survey>(`/api/surveys/${redeemedBy}`, redeemedBy !== null);
  // Every interview of a chain stores its seed.
  const root = seed ?? redeemer.data?.seed;
  const person = redeemedBy ?? survey;
  const facts: FactListEntry[] = [];
  const isNew = (id: string | null): id is string => id !== null && !listedIds.includes(id);
  if (isNew(redeemedBy)) facts.push([t('coupons.brought'), <SurveyLink key="brought" id={redeemedBy} />]);
  if (isNew(survey)) facts.push([t('coupons.gaveOut'), <SurveyLink key="gave" id={survey} />]);
  else if (seed && !survey) facts.push([t('coupons.gaveOut'), t('coupons.fromSeed')]);
  if (root && mayTree) {
    facts.push([
      t('tree.title'),
      <Link key="tree" to={`/desk/tree/${root}${person ? `?person=${person}` : ''}`}>
        {t('surveys.showTree')}
      </Link>,
    ]);
  }
  if (facts.length === 0) return null;
  return <FactList facts={facts} />;
}

/** The interview's coupon, date, and site. Not a link if this person may not open it. */
export function SurveyLink({ id }: { id: string }) {
  const { t, moment } = useDashboardText();
  const siteOf = useLocationName();
  const query = useRecord<Survey>(`/api/surveys/${id}`);
  if (query.data) {
    return (
      <Link to={`/desk/surveys/${id}`}>
        {query.data.referralCode ? (
          <>
            <CodeText code={query.data.referralCode} /> ·{' '}
          </>
        ) : null}
        {moment(interviewTimeOf(query.data))}, {siteOf(query.data.location)}
      </Link>
    );
  }
  if (!query.error) return <Skeleton height={18} width={160} />;
  return query.error instanceof NoSignal ? t('surveys.notNow') : t('surveys.notYours');
}
