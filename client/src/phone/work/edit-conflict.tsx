/** Two versions of one interview, question by question: a person chooses, so nothing is overwritten unseen. */

import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDeepEqual } from '../../../../src/platform/lib/objects/deep-equal.ts';
import { answerLines } from '../../../../src/questionnaires/answers/in-words.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import type { Answers, Line } from '../../wire.ts';
import { useLoadFormTexts } from '../interview/form/form-texts.ts';

type Side = 'stored' | 'other';

interface EditConflictProps {
  title: string;
  text: string;
  definition: object;
  stored: Answers;
  other: Answers;
  otherLabel: string;
  /** Canceling loses the other version. */
  unsaved?: boolean;
  onCancel(): void;
  onChoose(answers: Answers): Promise<void>;
}

/** A comment on a choice is stored under the question's name with this suffix. */
const COMMENT_SUFFIX = /-Comment$/;

/** Names of the questions with different answers. */
function differingQuestions(a: Answers, b: Answers): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => !isDeepEqual(a[name], b[name]));
}

export function EditConflict({
  title,
  text,
  definition,
  stored,
  other,
  otherLabel,
  unsaved = false,
  onCancel,
  onChoose,
}: EditConflictProps) {
  const { t, i18n } = useTranslation();
  const { t: mend } = useTranslation('mend');
  const names = differingQuestions(stored, other);
  const [picked, setPicked] = useState<Record<string, Side>>({});
  const { language } = i18n;
  useLoadFormTexts(language);
  const words = useMemo(() => {
    // Includes questions that are hidden in one of the versions.
    const all = (answers: Answers) => answerLines(definition, answers, language, { hidden: true });
    return { stored: all(stored), other: all(other) };
  }, [definition, stored, other, language]);
  const { submit, busy, error } = useSubmit(() => {
    const merged: Answers = { ...stored };
    for (const name of names) {
      if (picked[name] !== 'other') continue;
      if (other[name] === undefined) delete merged[name];
      else merged[name] = other[name];
    }
    return onChoose(merged);
  });
  const lineOf = (side: Side, name: string): Line | undefined => {
    const line = words[side].find((one) => one.name === name.replace(COMMENT_SUFFIX, ''));
    const comment = (side === 'stored' ? stored : other)[name];
    return line && COMMENT_SUFFIX.test(name) ? { ...line, answer: String(comment ?? '') } : line;
  };
  const sides: [Side, string][] = [
    ['stored', mend('clash.stored')],
    ['other', otherLabel],
  ];
  return (
    <Page
      title={title}
      actions={
        <>
          <ConfirmButton
            label={t('common.cancel')}
            question={t('workItem.dropQuestion')}
            yes={t('workItem.drop')}
            size="xl"
            when={() => unsaved}
            onYes={onCancel}
          />
          <Button size="xl" loading={busy} onClick={() => submit()}>
            {mend('clash.save')}
          </Button>
        </>
      }
    >
      <Notice tone="warn" live title={text} />
      <FormError error={error} />
      {names.length === 0 ? <Text>{mend('clash.same')}</Text> : null}
      {names.map((name) => (
        <Card key={name}>
          <Text fw={650} component="h2" size="md" mb="xs">
            {lineOf('stored', name)?.title ?? lineOf('other', name)?.title ?? name}
          </Text>
          <div className="sides">
            {sides.map(([side, label]) => (
              <button
                key={side}
                type="button"
                className="pick"
                aria-pressed={(picked[name] ?? 'stored') === side}
                onClick={() => setPicked({ ...picked, [name]: side })}
              >
                <span className="pick-label">{label}</span>
                {lineOf(side, name)?.answer || t('workItem.noAnswer')}
              </button>
            ))}
          </div>
        </Card>
      ))}
    </Page>
  );
}
