/**
 * Enters the six-digit code from a text message or a colleague, which the phone fills in or the person pastes or
 * types. It is sent as soon as it is complete.
 */
import { Anchor, Box, Button, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { toLatinDigits } from '../../../../src/platform/lib/text/latin-digits.ts';
import { monotonicNow } from '../../device/clock.ts';
import { RequestRefusal } from '../../session/api.ts';
import { usePublicStudy } from '../../session/records.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { rewriteTypedText } from '../../ui/rewrite-input.ts';

const CODE_DIGITS = 6;
/** The service doesn't send another code before this. */
const RESEND_AFTER_SECONDS = 30;

/** Length of the code in a colleague's link. */
const LINK_CODE_LENGTH = 12;

/**
 * Six digits of any script, anywhere in the pasted text, or the longer code of a colleague's link. An Arabic keyboard
 * types ١٢٣.
 */
export function parseOneTimeCode(text: string): string {
  const plain = toLatinDigits(text).trim();
  const word = /[#&?]code=(\w+)/.exec(plain)?.[1] ?? plain;
  if (/^(?=.*[a-z])[a-z0-9]{1,12}$/i.test(word)) return word.toUpperCase();
  return word.replace(/\D/g, '').slice(0, CODE_DIGITS);
}

interface CodeStepProps {
  phone: string;
  hint: 'login' | 'signUp' | 'setup' | 'given';
  /** The code from a colleague's link. It waits for a tap, so that opening a link doesn't sign anyone in. */
  known?: string | undefined;
  /** Labels of the previous form's fields, in case the service only refuses them now. */
  labels: Partial<Record<string, string>>;
  send(channel: 'sms' | 'call'): Promise<unknown>;
  verify(code: string): Promise<void>;
  onBack(): void;
}

export function OneTimeCodeStep({
  phone,
  hint,
  known: initialCode = '',
  labels,
  send,
  verify,
  onBack,
}: CodeStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState(initialCode);
  const isGiven = hint === 'given';
  const { left: secondsLeft, restart } = useCountdown(isGiven ? 0 : RESEND_AFTER_SECONDS);
  const typed = useRef(initialCode);
  const check = useSubmit(async () => {
    try {
      await verify(typed.current);
    } catch (error) {
      if (error instanceof RequestRefusal && error.code === 'OTP_INVALID') setCode('');
      throw error;
    }
  });
  const offersCalls = usePublicStudy().data?.otpChannels?.includes('call') === true;
  const [channel, setChannel] = useState<'sms' | 'call'>('sms');
  const resend = useSubmit(async () => {
    await send('sms');
    setChannel('sms');
    restart();
  });
  const call = useSubmit(async () => {
    await send('call');
    setChannel('call');
    restart();
  });
  // Never reveals whether the number has an account.
  const sentHow = hint === 'login' ? 'code.onItsWay' : channel === 'call' ? 'code.calling' : 'code.sentTo';
  const onType = (input: HTMLInputElement) => {
    const next = rewriteTypedText(input, parseOneTimeCode);
    typed.current = next;
    setCode(next);
    if (/^\d{6}$/.test(next) || next.length === LINK_CODE_LENGTH) check.submit();
  };
  return (
    <Page title={t('code.title')}>
      <form onSubmit={check.submit} noValidate>
        {/* Non-breaking characters keep the number on one line, whatever the text direction. */}
        <Text>
          {t(isGiven ? 'code.given' : sentHow, {
            phone: phone.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011'),
          })}
        </Text>
        <TextInput
          mt="md"
          className="code-input"
          label={t('code.label')}
          // A link's code has letters.
          inputMode={isGiven ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={(event) => onType(event.currentTarget)}
        />
        <FormError error={check.error ?? resend.error ?? call.error} labels={labels} />
        <Button
          type="submit"
          fullWidth
          size="xl"
          mt="lg"
          loading={check.busy}
          disabled={code.length < CODE_DIGITS}
        >
          {t('code.go')}
        </Button>
      </form>
      <Button
        variant="default"
        fullWidth
        disabled={secondsLeft > 0}
        loading={resend.busy}
        onClick={() => resend.submit()}
      >
        {secondsLeft > 0
          ? t('code.resendIn', { seconds: secondsLeft })
          : t(isGiven ? 'signIn.send' : 'code.resend')}
      </Button>
      {offersCalls && hint !== 'setup' ? (
        <Button
          variant="default"
          fullWidth
          disabled={secondsLeft > 0}
          loading={call.busy}
          onClick={() => call.submit()}
        >
          {t('code.call')}
        </Button>
      ) : null}
      <Button variant="subtle" fullWidth onClick={onBack}>
        {t('code.otherPhone')}
      </Button>
      {hint === 'login' ? (
        <Text>
          {t('signIn.new')}{' '}
          <Anchor component={Link} to="/sign-up" className="tall-link">
            {t('signIn.signUp')}
          </Anchor>
        </Text>
      ) : null}
      <Box>
        <Text c="dimmed">{t(`code.hint.${hint}`)}</Text>
      </Box>
    </Page>
  );
}

function useCountdown(seconds: number) {
  const [until, setUntil] = useState(() => monotonicNow() + seconds * 1000);
  const [now, setNow] = useState(monotonicNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(monotonicNow()), 500);
    return () => clearInterval(timer);
  }, []);
  return {
    left: Math.max(0, Math.ceil((until - now) / 1000)),
    restart: () => setUntil(monotonicNow() + RESEND_AFTER_SECONDS * 1000),
  };
}
