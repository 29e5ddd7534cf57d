/**
 * For a coupon presented twice: both interviews side by side, and a choice whether to assign the coupon to this one.
 */
import { Group, Text } from '@mantine/core';
import { parseCode } from '../../../../../src/coupons/referral-codes/code.ts';
import { CodeText } from '../../../phone/coupons/code-text.tsx';
import { ifMatchHeader, RequestRefusal, request } from '../../../session/api.ts';
import { asPermissionSubject } from '../../../session/rights.ts';
import { useAbility } from '../../../session/session.tsx';
import { Card } from '../../../ui/page.tsx';
import type { ListOf, Survey, SurveyListItem } from '../../../wire.ts';
import { DialogButton } from '../../kit/actions/dialog.tsx';
import type { ReferralCode } from '../../kit/data/dashboard-wire.ts';
import { refreshAndThrow, useGet, useRecord } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { AskSuperAdmin } from '../../people/ask-super-admin.tsx';
import { CodeTraces, SurveyLink } from '../../referral-codes/code-traces.tsx';
import { useReasonField } from '../use-reason-field.ts';
import { SurveysSideBySide } from './survey-side-by-side.tsx';

interface DecideProps {
  survey: Survey;
  onChange(survey: Survey): void;
}

export function CouponUsedFirst({ survey, onChange }: DecideProps) {
  const codes = survey.flags.flatMap((flag) => {
    const code = flag.code === 'REFERRAL_CODE_USED' ? parseCode(flag.referralCode ?? '') : null;
    return code ? [code] : [];
  });
  return [...new Set(codes)].map((code) => (
    <First key={code} code={code} survey={survey} onChange={onChange} />
  ));
}

function First({ code, survey, onChange }: DecideProps & { code: string }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  const redeemer = useRedeemerOf(code);
  const { data: first = null } = useRecord<Survey>(`/api/surveys/${redeemer?.id}`, redeemer !== null);
  const maySee = ability.can('read', 'ReferralCode');
  if (!maySee && !redeemer) return null;
  const mayTake =
    first !== null &&
    survey.referralCode === null &&
    [survey, first].every((one) => ability.can('update', asPermissionSubject('Survey', one)));
  return (
    <Card label={t('surveys.usedFirst')}>
      <h2>
        {t('surveys.usedFirst')} <CodeText code={code} />
      </h2>
      {mayTake ? (
        <>
          <Text>{t('surveys.usedWhat')}</Text>
          <Group gap="sm" my="sm">
            <TakeCode survey={survey} from={first.id} onChange={onChange} />
            <KeepAsIs survey={survey} onChange={onChange} />
          </Group>
        </>
      ) : null}
      {first ? (
        <SurveysSideBySide survey={survey} first={first} head={t('surveys.hasCoupon')} />
      ) : maySee ? (
        <CodeTraces code={code} />
      ) : redeemer ? (
        <SurveyLink id={redeemer.id} />
      ) : null}
      {survey.referralCode === null && !mayTake ? (
        <Text c="dimmed" mt="sm">
          {t('surveys.takeWho')} <AskSuperAdmin />
        </Text>
      ) : null}
    </Card>
  );
}

/** People who may not look up codes search the interviews they may read, which are today's. */
function useRedeemerOf(code: string): SurveyListItem | null {
  const maySee = useAbility().can('read', 'ReferralCode');
  const codes = useGet<ListOf<ReferralCode>>(`/api/referral-codes?code=${code}`, { enabled: maySee });
  const redeemer = codes.data?.data.find((one) => one.code === code)?.redeemedBy ?? null;
  const survey = useRecord<Survey>(`/api/surveys/${redeemer}`, redeemer !== null);
  const own = useGet<ListOf<SurveyListItem>>(`/api/surveys?search=${code}`, { enabled: !maySee });
  if (maySee) return survey.data ?? null;
  return own.data?.data.find((one) => one.referralCode === code) ?? null;
}

function TakeCode({ survey, from, onChange }: DecideProps & { from: string }) {
  const { t } = useDashboardText();
  const take = async (reason: string) => {
    const path = `/api/surveys/${survey.id}/take-code`;
    try {
      onChange(
        await request<Survey>('POST', path, {
          body: { from, reason },
          headers: ifMatchHeader(survey.version),
        }),
      );
    } catch (error) {
      const circle = error instanceof RequestRefusal && error.errors.some(({ path: at }) => at === 'from');
      refreshAndThrow(circle ? new Error(t('surveys.takeCircle')) : error);
    }
  };
  return (
    <DialogButton
      label={t('surveys.take')}
      title={t('surveys.takeTitle')}
      text={t('surveys.takeWhat')}
      yes={t('surveys.takeYes')}
      reason={useReasonField()}
      onYes={take}
    />
  );
}

/** The first interview keeps the coupon: this one stays without a recruiter, and its flag is dismissed. */
function KeepAsIs({ survey, onChange }: DecideProps) {
  const { t } = useDashboardText();
  const keep = async (reason: string) => {
    const body = { clearFlags: ['REFERRAL_CODE_USED'], reason };
    const headers = ifMatchHeader(survey.version);
    onChange(
      await request<Survey>('PATCH', `/api/surveys/${survey.id}`, { body, headers }).catch(refreshAndThrow),
    );
  };
  return (
    <DialogButton
      label={t('surveys.keep')}
      text={t('surveys.keepWhat')}
      yes={t('surveys.keepYes')}
      reason={useReasonField()}
      onYes={keep}
    />
  );
}
