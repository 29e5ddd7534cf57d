/** What forms share: submitting once at a time, showing errors, and the language switch. */
import { Box } from '@mantine/core';
import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Refusal } from '../session/api.ts';
import { faultText } from '../session/fault-text.ts';
import { useProblemText } from '../session/problem-text.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../texts/i18n.ts';
import { Notice } from './notice.tsx';

/** An act that leaves the page answers 'left': it is not done twice while the next page is on its way. */
export function useSubmit(act: () => Promise<unknown>) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    const result = await act().catch(setError);
    if (result === 'left') return;
    running.current = false;
    setBusy(false);
  };
  const submit = (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault();
    void run();
  };
  return { submit, busy, error, clear: () => setError(null) };
}

/** For acts without a form: what stood in the way of the last one. */
export function useAttempt() {
  const [error, setError] = useState<unknown>(null);
  const attempt = useCallback((act: Promise<unknown>) => void act.then(() => setError(null), setError), []);
  return { attempt, error };
}

interface FormErrorProps {
  error: unknown;
  /** What the fields are called on the screen, by their paths. */
  labels?: Partial<Record<string, string>>;
}

/** Says what went wrong; for a refusal of single fields, which ones, and the focus goes to the first of the form. */
export function FormError({ error, labels = {} }: FormErrorProps) {
  const text = useProblemText();
  const box = useRef<HTMLDivElement>(null);
  // To the first field that is wrong, with its label.
  useEffect(() => {
    if (!error) return;
    const field = box.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    field?.closest('.mantine-InputWrapper-root')?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (!error) return null;
  const fields = error instanceof Refusal ? error.errors : [];
  return (
    <Box mt="md" ref={box}>
      <Notice tone="bad" title={text(error)} live>
        {fields.length > 0
          ? fields.map((fault) => (
              <div key={fault.path}>
                {labels[fault.path] ? `${labels[fault.path]}: ` : ''}
                <bdi>{faultText(fault)}</bdi>
              </div>
            ))
          : null}
      </Notice>
    </Box>
  );
}

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <select
      className="plain-select"
      aria-label={t('common.language')}
      value={i18n.language}
      onChange={(event) => void chooseLanguage(event.currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([language, { name }]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </select>
  );
}
