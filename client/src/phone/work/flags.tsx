/** An interview's flags, each with what to do about it. */
import { Button, Loader, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayStartWithCoupon } from '../../offline/coupons/verdict-kinds.ts';
import { ifMatchHeader, request } from '../../session/api.ts';
import { useMay, useUser } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Answers, Flag, Survey } from '../../wire.ts';
import { CodeInput, useCouponVerdict } from '../coupons/code-input.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { VerdictNotice } from '../coupons/verdict-notice.tsx';

/** Loads the forms library. */
const EditConflict = lazy(() =>
  import('./edit-conflict.tsx').then(({ EditConflict }) => ({ default: EditConflict })),
);

interface FlagsProps {
  survey: Survey;
  /** Undefined while loading, null if unavailable. */
  definition: object | undefined | null;
  mayUpdate: boolean;
  /** Labels for dismissing flags that the page asks for a decision about. */
  undecided?: Partial<Record<Flag['code'], string>>;
  /** Additional information about a flag. */
  about?: (flag: Flag) => string | null;
  onChange(survey: Survey): void;
}

export function Flags(props: FlagsProps) {
  return props.survey.flags.map((flag, index) => (
    // Flags have no id; the whole list is replaced on each change.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <OneFlag key={`${flag.code}-${index}`} flag={flag} {...props} />
  ));
}

/** Flags that only reviewers of the interview can dismiss. */
const REVIEWER_FLAGS: Flag['code'][] = ['INCENTIVE_NOT_DUE', 'IMPORTED', 'NO_ROUND'];

function OneFlag({
  flag,
  survey,
  definition,
  mayUpdate,
  undecided,
  about,
  onChange,
}: FlagsProps & { flag: Flag }) {
  const { t } = useTranslation();
  const { t: own } = useTranslation('flags');
  const { t: mend } = useTranslation('mend');
  /**
   * Copies are compared one after the other, each with the answers chosen so far; null while none is being compared.
   */
  const [chosen, setChosen] = useState<{ copies: number; answers: Answers } | null>(null);
  const patch = async (body: object, headers = {}) =>
    onChange(await request<Survey>('PATCH', `/api/surveys/${survey.id}`, { body, headers }));
  const dismissal = useSubmit(() => patch({ clearFlags: [flag.code] }));
  const copies = survey.flags.flatMap((one) => (one.copy ? [one.copy.responses as Answers] : []));
  const away = undecided?.[flag.code];
  const mayReview = useMay('review', 'Survey', survey);
  const mayDismiss = mayUpdate && (mayReview || !REVIEWER_FLAGS.includes(flag.code));
  const ofCode = flag.code.startsWith('REFERRAL_CODE_');
  const other = chosen ? copies[chosen.copies] : undefined;
  if (chosen && other && definition) {
    return (
      <div className="overlay">
        <Suspense fallback={<Loader m="xl" role="status" aria-label={t('common.loading')} />}>
          <EditConflict
            key={chosen.copies}
            title={mend('clash.title')}
            text={mend('clash.secondCopy')}
            definition={definition}
            stored={chosen.answers}
            other={other}
            otherLabel={mend('clash.second')}
            onCancel={() => setChosen(null)}
            onChoose={async (responses) => {
              const next = chosen.copies + 1;
              if (next < copies.length) setChosen({ copies: next, answers: responses });
              else await patch({ responses, clearFlags: ['SECOND_COPY'] }, ifMatchHeader(survey.version));
            }}
          />
        </Suspense>
      </div>
    );
  }
  return (
    <Notice tone="warn" title={own(flag.code)}>
      {flag.referralCode ? (
        <div>
          {own('code')} <CodeText code={flag.referralCode} />
        </div>
      ) : null}
      {about?.(flag)}
      {mayUpdate && ofCode && !survey.referralCode ? (
        <RightCode survey={survey} flag={flag} onPatch={patch} />
      ) : null}
      {mayUpdate && flag.copy && definition !== null ? (
        <Button
          mt="sm"
          loading={chosen !== null && definition === undefined}
          onClick={() => setChosen({ copies: 0, answers: survey.responses })}
        >
          {own('compare')}
        </Button>
      ) : null}
      {mayDismiss && flag.code !== 'RECRUITER_PENDING' && !flag.copy ? (
        <Button
          mt="sm"
          variant={away ? 'subtle' : 'default'}
          loading={dismissal.busy}
          onClick={() => dismissal.submit()}
        >
          {away ?? own('seen')}
        </Button>
      ) : null}
      <FormError error={dismissal.error} />
    </Notice>
  );
}

const DATE_FLAGS: Flag['code'][] = ['REFERRAL_CODE_EXPIRED', 'REFERRAL_CODE_NOT_YET'];

interface RightCodeProps {
  survey: Survey;
  flag: Flag;
  onPatch(body: object): Promise<void>;
}

/**
 * The service checks a coupon's dates against the day of the interview, so a coupon that has expired since may still
 * work. Reviewers of the interview can accept it regardless of its dates, with a reason.
 */
function RightCode({ survey, flag, onPatch }: RightCodeProps) {
  const { t } = useTranslation();
  const { t: own } = useTranslation('flags');
  const { id } = useUser();
  const mayReview = useMay('review', 'Survey', survey);
  const again = mayReview && DATE_FLAGS.includes(flag.code) ? flag.referralCode : null;
  const [text, setText] = useState(again ?? '');
  const [reason, setReason] = useState('');
  const verdict = useCouponVerdict(id, text);
  const outOfDate = verdict?.kind === 'expired' || verdict?.kind === 'not-yet';
  const good = verdict !== null && (mayStartWithCoupon(verdict) || outOfDate);
  const { submit, busy, error } = useSubmit(() =>
    onPatch({ referralCode: verdict?.code, ...(reason.trim() ? { reason } : {}) }),
  );
  return (
    <div style={{ marginTop: 12 }}>
      <Text size="sm" mb="xs">
        {own('rightCodeWhat')}
      </Text>
      <CodeInput label={own('rightCode')} value={text} onChange={setText} />
      {outOfDate ? (
        <Text mt="xs" role="status">
          <CodeText code={verdict.code} /> {t(`verdict.${verdict.kind}.title`)}. {own('outOfDate')}
        </Text>
      ) : (
        <VerdictNotice verdict={verdict} purpose="setRight" />
      )}
      {outOfDate && mayReview ? (
        <TextInput
          mt="sm"
          label={own('reason')}
          description={own('reasonWhat')}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
      <FormError error={error} />
      <Button mt="sm" disabled={!good} loading={busy} onClick={() => submit()}>
        {own('setCode')}
      </Button>
    </div>
  );
}
