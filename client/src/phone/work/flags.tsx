/** An interview's flags, each with what to do about it. */
import { Button, Loader, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayStartInterview } from '../../offline/coupons/verdict-kinds.ts';
import { ifMatchHeader, request } from '../../session/api.ts';
import { useMay, useUser } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Answers, Flag, Survey } from '../../wire.ts';
import { CodeInput, useVerdict } from '../coupons/code-input.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { VerdictNotice } from '../coupons/verdict-notice.tsx';

/** Brings the library of forms with it. */
const EditConflict = lazy(() =>
  import('./edit-conflict.tsx').then(({ EditConflict }) => ({ default: EditConflict })),
);

interface FlagsProps {
  survey: Survey;
  /** Undefined while it is on its way, null where it cannot be had. */
  definition: object | undefined | null;
  mayUpdate: boolean;
  /** What putting such a notice away is called where the page asks for a decision about it. */
  undecided?: Partial<Record<Flag['code'], string>>;
  /** What else is to be said of such a notice. */
  about?: (flag: Flag) => string | null;
  onChange(survey: Survey): void;
}

export function Flags(props: FlagsProps) {
  return props.survey.flags.map((flag, index) => (
    // Flags have no id; the list is replaced whole with each change.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <OneFlag key={`${flag.code}-${index}`} flag={flag} {...props} />
  ));
}

/** Only who may review the interview puts these away. */
const FOR_REVIEWERS: Flag['code'][] = ['INCENTIVE_NOT_DUE', 'IMPORTED', 'NO_ROUND'];

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
  /** One copy after the other, each against what was chosen of those before; null while none is compared. */
  const [chosen, setChosen] = useState<{ copies: number; answers: Answers } | null>(null);
  const patch = async (body: object, headers = {}) =>
    onChange(await request<Survey>('PATCH', `/api/surveys/${survey.id}`, { body, headers }));
  const dismissal = useSubmit(() => patch({ clearFlags: [flag.code] }));
  const copies = survey.flags.flatMap((one) => (one.copy ? [one.copy.responses as Answers] : []));
  const away = undecided?.[flag.code];
  const mayReview = useMay('review', 'Survey', survey);
  const mayDismiss = mayUpdate && (mayReview || !FOR_REVIEWERS.includes(flag.code));
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

const OUT_OF_DATE: Flag['code'][] = ['REFERRAL_CODE_EXPIRED', 'REFERRAL_CODE_NOT_YET'];

interface RightCodeProps {
  survey: Survey;
  flag: Flag;
  onPatch(body: object): Promise<void>;
}

/**
 * A coupon's dates are held against when the interview was held, which the service knows: one that has run out since is
 * tried all the same. Whoever may review the interview lets it through whatever its dates, and says why.
 */
function RightCode({ survey, flag, onPatch }: RightCodeProps) {
  const { t } = useTranslation();
  const { t: own } = useTranslation('flags');
  const { id } = useUser();
  const mayReview = useMay('review', 'Survey', survey);
  const again = mayReview && OUT_OF_DATE.includes(flag.code) ? flag.referralCode : null;
  const [text, setText] = useState(again ?? '');
  const [reason, setReason] = useState('');
  const verdict = useVerdict(id, text);
  const outOfDate = verdict?.kind === 'expired' || verdict?.kind === 'not-yet';
  const good = verdict !== null && (mayStartInterview(verdict) || outOfDate);
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
