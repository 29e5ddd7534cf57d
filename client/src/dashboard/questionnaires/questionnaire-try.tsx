/** Tries out the form as a respondent sees it. Answers aren't stored. */
import { Button, Group, Text, useComputedColorScheme } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Survey as SurveyForm } from 'survey-react-ui';
import { languageName } from '../../../../src/platform/lib/languages/language-name.ts';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import { answerLines } from '../../../../src/questionnaires/answers/in-words.ts';
import { AnswerList } from '../../phone/interview/form/answer-list.tsx';
import { loadFormTexts, useLoadFormTexts } from '../../phone/interview/form/form-texts.ts';
import { isFirstScreen, isLastScreen } from '../../phone/interview/form/progress.ts';
import {
  createInterviewFormModel,
  directionOfForm,
  type InterviewResult,
  submittableInterviewOf,
} from '../../phone/interview/form/survey-model.ts';
import { goToNextScreen, showWarnings } from '../../phone/interview/form/warnings.ts';
import { useStudy } from '../../session/records.ts';
import { SelectField } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Answers } from '../../wire.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { definitionLanguagesOf } from './questionnaire-outline.ts';

/** The form has its own language, independent of the app's. */
interface TryProps {
  definition: object;
  /** Previews a single page, without navigation. */
  singlePage?: boolean;
}

export default function TryQuestionnaire({ definition, singlePage }: TryProps) {
  const { t, app, language } = useDashboardText();
  const dark = useComputedColorScheme('light') === 'dark';
  const study = useStudy();
  const languages = useMemo(() => definitionLanguagesOf(definition), [definition]);
  const [spokenLanguage, setSpoken] = useState(languages.includes(language) ? language : 'en');
  useLoadFormTexts(spokenLanguage);
  const [round, setRound] = useState(0);
  const [, redraw] = useState({});
  const [result, setResult] = useState<InterviewResult | null>(null);
  /** The answers and page, restored after the form changes so that the change is visible. */
  const before = useRef<{ answers: Answers; page: string | undefined }>({ answers: {}, page: undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` starts a new model; the language is changed on the existing model
  const model = useMemo(() => {
    const { answers, page } = before.current;
    const preview = createInterviewFormModel(definition, {
      answers,
      language: spokenLanguage,
      view: 'page',
      dark,
      study,
    });
    const samePage = preview.visiblePages.find(({ name }) => name === page);
    if (samePage) preview.currentPage = samePage;
    const note = () => {
      const at = preview.currentPage as { name?: string } | null;
      before.current = { answers: { ...(preview.data as Answers) }, page: at?.name };
      redraw({});
    };
    preview.onCurrentPageChanged.add(note);
    // An answer may reveal further pages.
    preview.onValueChanged.add(note);
    return preview;
  }, [definition, dark, round]);
  const finish = () => {
    if (model.validate(true, true) && !showWarnings(model, model.getAllQuestions()))
      setResult(submittableInterviewOf({ definition }, model, spokenLanguage));
  };
  const restart = () => {
    setResult(null);
    before.current = { answers: {}, page: undefined };
    setRound((before) => before + 1);
  };
  return (
    <>
      <Group align="end" gap="md">
        <SelectField
          label={app('interview.language')}
          value={spokenLanguage}
          onChange={async (value) => {
            await loadFormTexts(value);
            model.locale = value;
            setSpoken(value);
          }}
          options={languages.map((value) => ({ value, label: languageName(value, language) }))}
        />
        {singlePage ? null : <PlainButton label={t('versions.tryAgain')} size="md" onClick={restart} />}
      </Group>
      {singlePage ? null : <Text c="dimmed">{t('versions.tryWhat')}</Text>}
      {result ? (
        <Outcome definition={definition} result={result} language={spokenLanguage} />
      ) : (
        <div className="versions-preview" lang={spokenLanguage} dir={directionOfForm(model)}>
          <div className="interview">
            <SurveyForm model={model} />
          </div>
          <Group grow p="sm" display={singlePage ? 'none' : undefined}>
            {isFirstScreen(model, 'page') ? null : (
              <Button variant="default" onClick={() => model.performPrevious()}>
                {app('interview.previous')}
              </Button>
            )}
            {isLastScreen(model, 'page') ? (
              <Button onClick={finish}>{app('interview.finish')}</Button>
            ) : (
              <Button onClick={() => goToNextScreen(model)}>{app('interview.next')}</Button>
            )}
          </Group>
        </div>
      )}
    </>
  );
}

/** What would be sent. */
function Outcome({
  definition,
  result: { answers, farewell },
  language,
}: {
  definition: object;
  result: InterviewResult;
  language: string;
}) {
  const { t, app } = useDashboardText();
  const { t: own } = useTranslation('builder');
  const lines = answerLines(definition, answers, language);
  return (
    <>
      <Notice tone="good" live title={t('versions.tried')} />
      {farewell ? (
        <Card heading={own('role.closing')}>
          <div className="own-lines" lang={language} dir={textDirection(language)}>
            {farewell}
          </div>
        </Card>
      ) : null}
      <Card label={app('workItem.answers')}>
        <AnswerList lines={lines} />
      </Card>
    </>
  );
}
