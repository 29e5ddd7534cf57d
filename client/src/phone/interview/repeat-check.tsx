/**
 * Checks, on request, whether this person was interviewed before, once the identity questions are answered. The
 * result isn't stored. Offline there is no check: the service compares when the interview arrives.
 */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from 'survey-core';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import { isIdentifyingAnswer } from '../../../../src/questionnaires/definition/identity-answers.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { request } from '../../session/api.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { RepeatCheckRequest, RepeatCheckResult } from '../../wire.ts';
import { questionsOnScreen } from './form/progress.ts';

type Clues = RepeatCheckRequest['clues'];

/** Null on screens without an identity question, and while more than one of them is unanswered. */
export function identityAnswersOnScreen(model: Model, names: readonly string[]): Clues | null {
  if (!questionsOnScreen(model).some(({ name }) => names.includes(name))) return null;
  const entries = names
    .map((name) => [name, model.getValue(name)] as const)
    .filter(([, one]) => isIdentifyingAnswer(one));
  return entries.length >= names.length - 1 ? (Object.fromEntries(entries) as Clues) : null;
}

/** Give it a new key for different answers, so that it starts over. */
export function RepeatCheckButton({ questionnaire, clues }: RepeatCheckRequest) {
  const { t, i18n } = useTranslation('own-page');
  const online = useHasSignal();
  const [match, setMatch] = useState<RepeatCheckResult['match'] | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    const body: RepeatCheckRequest = { questionnaire, clues };
    setMatch((await request<RepeatCheckResult>('POST', '/api/surveys/repeat-check', { body })).match);
  });
  const box = useRef<HTMLDivElement>(null);
  // The result is taller than the button, and the bottom bar may cover it.
  useEffect(() => {
    if (match || error) box.current?.scrollIntoView({ block: 'center' });
  }, [match, error]);
  // For the interviewer, so in the app's language.
  return (
    <div className="repeat-check" ref={box} lang={i18n.language} dir={textDirection(i18n.language)}>
      {match ? (
        <Notice tone={match === 'NONE' ? 'good' : 'warn'} live title={t(`repeat.${match}`)}>
          {match === 'NONE' ? null : t('repeat.goOn')}
        </Notice>
      ) : online ? (
        <Button variant="default" size="lg" fullWidth loading={busy} onClick={() => submit()}>
          {t('repeat.ask')}
        </Button>
      ) : (
        <Notice tone="info" icon="noSignal" title={t('repeat.offline')} />
      )}
      <FormError error={error} />
    </div>
  );
}
