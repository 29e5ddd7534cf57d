/** What the service flagged on an interview, each with what a person can do about it. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../api.ts';
import { mayStart } from '../device/verdict.ts';
import { useUser } from '../session.tsx';
import type { Answers, Flag, Survey } from '../wire.ts';
import { Clash } from './clash.tsx';
import { CodeInput, useVerdict } from './code-input.tsx';
import { CodeText } from './code-text.tsx';
import { FormError, useSubmit } from './form.tsx';
import { Notice } from './notice.tsx';
import { VerdictNotice } from './verdict-notice.tsx';

interface FlagsProps {
  survey: Survey;
  definition: object;
  mayUpdate: boolean;
  onChange(survey: Survey): void;
}

export function Flags(props: FlagsProps) {
  return props.survey.flags.map((flag, index) => (
    // Flags have no id; the list is replaced whole with each change.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <OneFlag key={`${flag.code}-${index}`} flag={flag} {...props} />
  ));
}

function OneFlag({ flag, survey, definition, mayUpdate, onChange }: FlagsProps & { flag: Flag }) {
  const { t } = useTranslation();
  const [comparing, setComparing] = useState(false);
  const patch = async (body: object) =>
    onChange(await request<Survey>('PATCH', `/api/surveys/${survey.id}`, { body }));
  const seen = useSubmit(() => patch({ clearFlags: [flag.code] }));
  const copy = flag.copy?.responses as Answers | undefined;
  const ofCode = flag.code.startsWith('REFERRAL_CODE_');
  if (comparing && copy) {
    return (
      <div className="overlay">
        <Clash
          title={t('clash.title')}
          text={t('clash.secondCopy')}
          definition={definition}
          stored={survey.responses}
          other={copy}
          otherLabel={t('clash.second')}
          onCancel={() => setComparing(false)}
          onChoose={(responses) => patch({ responses, clearFlags: ['SECOND_COPY'] })}
        />
      </div>
    );
  }
  return (
    <Notice tone="warn" title={t(`flag.${flag.code}`)}>
      {flag.referralCode ? (
        <div>
          {t('flag.code')} <CodeText code={flag.referralCode} />
        </div>
      ) : null}
      {mayUpdate && ofCode && !survey.referralCode ? (
        <RightCode onCode={(code) => patch({ referralCode: code })} />
      ) : null}
      {mayUpdate && copy ? (
        <Button mt="sm" onClick={() => setComparing(true)}>
          {t('flag.compare')}
        </Button>
      ) : null}
      {mayUpdate && flag.code !== 'RECRUITER_PENDING' && !copy ? (
        <Button mt="sm" variant="default" loading={seen.busy} onClick={() => seen.submit()}>
          {t('flag.seen')}
        </Button>
      ) : null}
      <FormError error={seen.error} />
    </Notice>
  );
}

function RightCode({ onCode }: { onCode(code: string): Promise<void> }) {
  const { t } = useTranslation();
  const { id } = useUser();
  const [text, setText] = useState('');
  const verdict = useVerdict(id, text);
  const good = verdict !== null && mayStart(verdict);
  const { submit, busy, error } = useSubmit(() => onCode(verdict?.code ?? ''));
  return (
    <div style={{ marginTop: 12 }}>
      <Text size="sm" mb="xs">
        {t('flag.rightCodeWhat')}
      </Text>
      <CodeInput label={t('flag.rightCode')} value={text} onChange={setText} />
      <VerdictNotice verdict={verdict} />
      <FormError error={error} />
      <Button mt="sm" disabled={!good} loading={busy} onClick={() => submit()}>
        {t('flag.setCode')}
      </Button>
    </div>
  );
}
