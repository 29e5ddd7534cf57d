/** Changed answers in the words of the questionnaire version that was used. */
import { useMemo } from 'react';
import { Model, type Question } from 'survey-core';
import { useLoadFormTexts } from '../../phone/interview/form/form-texts.ts';
import { useQuestionnaire } from '../../session/records.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { ErasedChange, FieldChange } from './field-change.tsx';

interface AnswerChangesProps {
  changes: { path: string; before?: unknown; after?: unknown; erased?: true | undefined }[];
  questionnaire: string | null;
}

export default function AnswerChanges({ changes, questionnaire }: AnswerChangesProps) {
  const { t, language } = useDashboardText();
  useLoadFormTexts(language);
  const { data, error } = useQuestionnaire(questionnaire);
  const definition = data?.definition;
  const read = useMemo(
    () => (definition ? answerReader(definition, language) : null),
    [definition, language],
  );
  if (!read) return questionnaire === null || error ? t('audit.someAnswers', { count: changes.length }) : '…';
  return changes.map(({ path, before, after, erased }) => {
    const name = path.slice('responses.'.length);
    const { title, text } = read(name, before);
    const field = title ?? t('audit.noQuestion');
    if (erased) return <ErasedChange key={path} field={field} />;
    return <FieldChange key={path} field={field} before={text} after={read(name, after).text} />;
  });
}

interface AnswerText {
  /** Null if this version doesn't have the question. */
  title: string | null;
  text: string;
}

/**
 * Describes single answers with the texts of one questionnaire version: the question's title and the choice's text.
 */
function answerReader(definition: object, language: string): (name: string, value: unknown) => AnswerText {
  const model = new Model(definition);
  model.locale = language;
  const plain = (value: unknown) =>
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const textOf = (question: Question, value: unknown): string => {
    const words: unknown = question.getDisplayValue(false, value);
    return typeof words === 'object' ? JSON.stringify(words) : plain(words);
  };
  return (name, value) => {
    // A comment on a choice is stored under its own name.
    const questionName = name.replace(/-Comment$/, '');
    const question =
      model.getQuestionByName(name) ??
      model.getQuestionByValueName(name) ??
      model.getQuestionByName(questionName) ??
      model.getQuestionByValueName(questionName);
    if (!question) return { title: null, text: plain(value) };
    const nothing = value === null || value === undefined || value === '';
    if (questionName !== name) return { title: question.processedTitle, text: plain(value) };
    return { title: question.processedTitle, text: nothing ? '' : textOf(question, value) };
  };
}
