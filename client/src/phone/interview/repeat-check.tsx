/**
 * Checks whether this person was interviewed before, on request, once the identity questions are answered; the result
 * is stored nowhere. Offline there is no check: the service compares when the interview arrives.
 */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from 'survey-core';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import { isIdentityAnswerGiven } from '../../../../src/questionnaires/definition/identity-answers.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { request } from '../../session/api.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { RepeatCheck as Asked, RepeatChecked } from '../../wire.ts';
import { onScreen } from './form/progress.ts';

type Clues = Asked['clues'];

/** Null on screens without one of these questions, and while more than one of them has no answer. */
export function identityAnswersOnScreen(model: Model, names: readonly string[]): Clues | null {
  if (!onScreen(model).some(({ name }) => names.includes(name))) return null;
  const entries = names
    .map((name) => [name, model.getValue(name)] as const)
    .filter(([, one]) => isIdentityAnswerGiven(one));
  return entries.length >= names.length - 1 ? (Object.fromEntries(entries) as Clues) : null;
}

/** Other answers are another one: give it a key of theirs. */
export function RepeatCheck({ questionnaire, clues }: Asked) {
  const { t, i18n } = useTranslation('own-page');
  const online = useHasSignal();
  const [match, setMatch] = useState<RepeatChecked['match'] | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    const body: Asked = { questionnaire, clues };
    setMatch((await request<RepeatChecked>('POST', '/api/surveys/repeat-check', { body })).match);
  });
  const box = useRef<HTMLDivElement>(null);
  // The answer is longer than the button was, and the bar stands over the end of the screen.
  useEffect(() => {
    if (match || error) box.current?.scrollIntoView({ block: 'center' });
  }, [match, error]);
  // Said to the interviewer, whatever language the questions speak.
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
