/** Changed answers in the words of the version of the questions that was asked. */
import { useMemo } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { useQuestionnaire } from '../../records.ts';
import { useFormWords } from '../interview/form-words.ts';
import { answerReader } from './answer-words.ts';
import { Changed, ErasedChange } from './change-words.tsx';

interface AnswerChangesProps {
  changes: { path: string; before?: unknown; after?: unknown; erased?: true | undefined }[];
  questionnaire: string | null;
}

export default function AnswerChanges({ changes, questionnaire }: AnswerChangesProps) {
  const { t, language } = useDeskText();
  useFormWords(language);
  const { data, error } = useQuestionnaire(questionnaire);
  const definition = data?.definition;
  const read = useMemo(
    () => (definition ? answerReader(definition, language) : null),
    [definition, language],
  );
  if (!read) return questionnaire === null || error ? t('audit.someAnswers', { count: changes.length }) : '…';
  return changes.map(({ path, before, after, erased }) => {
    const name = path.slice('responses.'.length);
    const { title, words } = read(name, before);
    const field = title ?? t('audit.noQuestion');
    if (erased) return <ErasedChange key={path} field={field} />;
    return <Changed key={path} field={field} before={words} after={read(name, after).words} />;
  });
}
