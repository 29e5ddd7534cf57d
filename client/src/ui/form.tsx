/** Shared form code: submitting once at a time, showing errors, and the language switch. */
import { Box } from '@mantine/core';
import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestRefusal } from '../session/api.ts';
import { faultText } from '../session/fault-text.ts';
import { useProblemText } from '../session/problem-text.ts';
import { APP_LANGUAGES, type AppLanguage, switchLanguage } from '../texts/i18n.ts';
import { Notice } from './notice.tsx';

/** If `act` leaves the page, it resolves to 'left': the form stays busy until the next page is shown. */
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

/** For actions without a form: the error of the last one. */
export function useAttempt() {
  const [error, setError] = useState<unknown>(null);
  const attempt = useCallback((act: Promise<unknown>) => void act.then(() => setError(null), setError), []);
  return { attempt, error };
}

interface FormErrorProps {
  error: unknown;
  /** Labels of the fields on the screen, by path. */
  labels?: Partial<Record<string, string>>;
}

/** Shows what went wrong, lists the invalid fields, and focuses the first invalid field of the form. */
export function FormError({ error, labels = {} }: FormErrorProps) {
  const text = useProblemText();
  const box = useRef<HTMLDivElement>(null);
  // Scrolls so that the field's label is visible too.
  useEffect(() => {
    if (!error) return;
    const field = box.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    field?.closest('.mantine-InputWrapper-root')?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (!error) return null;
  const fields = error instanceof RequestRefusal ? error.errors : [];
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
      onChange={(event) => void switchLanguage(event.currentTarget.value as AppLanguage)}
    >
      {Object.entries(APP_LANGUAGES).map(([language, { name }]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </select>
  );
}
