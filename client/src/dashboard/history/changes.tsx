/** Everything an event changed, in words; answers with the texts of their questions. */
import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { SIGN_IN_FAILURE_REASONS } from '../../../../src/platform/audit/schema.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { isShownChange } from './event-kind.ts';
import { ErasedChange, FieldChange, useFieldDescriber } from './field-change.tsx';
import type { RecordNames } from './record-name.ts';

/** Loads the forms library, so this waits until the page has rendered. */
const AnswerChanges = lazy(async () => {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
  return await import('./answer-changes.tsx');
});

/** More changes than this are a whole record, which its own page shows better. */
const MAX_CHANGES = 8;

interface Change {
  path: string;
  before?: unknown;
  after?: unknown;
  erased?: true | undefined;
}

interface ChangesProps {
  subject: string;
  record: string;
  changes: Change[];
  names: RecordNames;
  reason?: string | null | undefined;
}

const isAnswer = ({ path }: Change) => path.startsWith('responses.');

/**
 * The changes as text for a file, complete. Answers appear under the name of their question and as stored, as in the
 * files for statistics.
 */
export function useChangesText(): (event: ChangesProps) => string {
  const { t } = useDashboardText();
  const wordsOf = useFieldDescriber();
  return ({ subject, changes, names, reason }) => {
    const lines = changes.filter(isShownChange).map((change) => {
      const { path, before, after, erased } = change;
      if (erased && isAnswer(change)) return `${path.slice('responses.'.length)}: ${t('audit.erased')}`;
      if (erased) return `${wordsOf(subject, path, names).field}: ${t('audit.erased')}`;
      if (isAnswer(change)) return `${path.slice('responses.'.length)}: ${stored(before)} → ${stored(after)}`;
      const { field, describeValue } = wordsOf(subject, path, names);
      return `${field}: ${describeValue(before) || '–'} → ${describeValue(after) || '–'}`;
    });
    return [...lines, ...(reason ? [t('surveys.reason', { reason: reasonText(t, reason) })] : [])].join('\n');
  };
}

/** Failed sign-ins have a reason code; other reasons were written by people. */
const reasonText = (t: ReturnType<typeof useDashboardText>['t'], reason: string): string => {
  const knownReason = SIGN_IN_FAILURE_REASONS.find((one) => one === reason);
  return knownReason ? t(`audit.signInReason.${knownReason}`) : reason;
};

const stored = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

export function AuditedChanges({ subject, record, changes, names, reason }: ChangesProps) {
  const { t } = useDashboardText();
  const wordsOf = useFieldDescriber();
  const visible = changes.filter(isShownChange).slice(0, MAX_CHANGES);
  const answers = visible.filter(isAnswer);
  const more = changes.filter(isShownChange).length - visible.length;
  return (
    <div>
      {visible
        .filter((one) => !isAnswer(one))
        .map(({ path, before, after, erased }) => {
          const { field, describeValue } = wordsOf(subject, path, names);
          if (erased) return <ErasedChange key={path} field={field} />;
          return (
            <FieldChange
              key={path}
              field={field}
              before={describeValue(before)}
              after={describeValue(after)}
            />
          );
        })}
      {answers.length > 0 ? (
        <Suspense fallback="…">
          <AnswerChanges changes={answers} questionnaire={names[record]?.questionnaire ?? null} />
        </Suspense>
      ) : null}
      {more > 0 ? t('audit.more', { count: more }) : null}
      {reason ? (
        <Text size="sm" component="div">
          {t('surveys.reason', { reason: reasonText(t, reason) })}
        </Text>
      ) : null}
    </div>
  );
}
