/** What was changed in an interview, by whom and when, in the words of its own questions. */

import { Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { useGet } from '../../desk/use-list.tsx';
import { momentOf } from '../../i18n.ts';
import { FormError } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Questionnaire, Survey } from '../../wire.ts';
import { Changed, useFieldWords } from '../history/change-words.tsx';
import { useFormWords } from '../interview/form-words.ts';
import { usePersonName } from '../people/person-names.ts';
import { answerReader } from './survey-words.ts';

interface Happening {
  at: string;
  by: string | null;
  reason?: string;
  changes: { path: string; before: unknown; after: unknown }[];
}

export function History({ survey, questionnaire }: { survey: Survey; questionnaire: Questionnaire }) {
  const { t, language } = useDeskText();
  const personOf = usePersonName();
  const asked = useGet<Happening[]>(`/api/surveys/${survey.id}/history`);
  const happenings = asked.data;
  return (
    <Card label={t('surveys.history')}>
      <h2>{t('surveys.history')}</h2>
      <FormError error={asked.error} />
      {asked.isPending ? <Skeleton height={22} mt="sm" /> : null}
      {happenings ? (
        <ul className="survey-list">
          {happenings.toReversed().map(({ at, by, reason, changes }) => (
            <li key={`${at}-${by}`} style={{ display: 'block' }}>
              <Text size="sm" c="dimmed" component="div">
                {momentOf(at, language)} · {personOf(by)}
              </Text>
              {reason ? (
                <Text size="sm" component="div">
                  {t('surveys.reason', { reason })}
                </Text>
              ) : null}
              {changes.map((change) => (
                <Line key={change.path} {...change} definition={questionnaire.definition} />
              ))}
            </li>
          ))}
          <li>
            <Text size="sm" c="dimmed" component="div">
              {momentOf(survey.createdAt, language)} · {personOf(survey.createdBy)}
            </Text>
            <span>{t('surveys.arrived')}</span>
          </li>
        </ul>
      ) : null}
    </Card>
  );
}

function Line({ path, before, after, definition }: Happening['changes'][number] & { definition: object }) {
  const { language } = useDeskText();
  const wordsOf = useFieldWords();
  useFormWords(language);
  const read = useMemo(() => answerReader(definition, language), [definition, language]);
  const name = /^responses\.(.+)$/.exec(path)?.[1];
  if (name) {
    const { title, words } = read(name, before);
    return <Changed field={title} before={words} after={read(name, after).words} />;
  }
  const { field, say } = wordsOf('Survey', path);
  return <Changed field={field} before={say(before)} after={say(after)} />;
}
