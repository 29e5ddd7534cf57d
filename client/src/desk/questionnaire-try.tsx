/** The form as a respondent meets it, to be tried: whatever is answered here is stored nowhere. */
import { Button, Group, NativeSelect, Text, useComputedColorScheme } from '@mantine/core';
import { Survey as SurveyForm } from 'survey-react-ui';
import { useMemo, useState } from 'react';
import { Notice } from '../parts/notice.tsx';
import { Card } from '../parts/page.tsx';
import { linesOf, resultOf, surveyModel } from '../parts/survey-model.ts';
import type { Answers } from '../wire.ts';
import { useDeskText } from './parts/desk-text.ts';
import { languagesOf } from './questionnaire-outline.ts';

/** The words of the form are its own, whatever the language of the app. */
export default function Try({ definition }: { definition: object }) {
  const { t, app, language } = useDeskText();
  const dark = useComputedColorScheme('light') === 'dark';
  const languages = useMemo(() => languagesOf(definition), [definition]);
  const own = language.slice(0, 2);
  const [spoken, setSpoken] = useState(languages.includes(own) ? own : 'en');
  const [round, setRound] = useState(0);
  const [done, setDone] = useState<Answers | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round begins with a new model; the language changes in it
  const model = useMemo(() => {
    const made = surveyModel(definition, { answers: {}, language: spoken, view: 'page', dark });
    made.showNavigationButtons = true;
    made.onCompleting.add((sender, options) => {
      options.allow = false;
      setDone(resultOf(definition, sender.data as Answers, 'en').answers);
    });
    return made;
  }, [definition, dark, round]);
  const again = () => {
    setDone(null);
    setRound((before) => before + 1);
  };
  return (
    <>
      <Group align="end" gap="md">
        <NativeSelect
          size="md"
          label={app('interview.language')}
          value={spoken}
          onChange={(event) => {
            model.locale = event.currentTarget.value;
            setSpoken(event.currentTarget.value);
          }}
          data={languages}
        />
        <Button variant="default" size="md" h={48} onClick={again}>
          {t('versions.tryAgain')}
        </Button>
      </Group>
      <Text c="dimmed">{t('versions.tryWhat')}</Text>
      {done ? (
        <Outcome definition={definition} answers={done} language={spoken} />
      ) : (
        <div className="versions-preview" lang={spoken}>
          <div className="interview">
            <SurveyForm model={model} />
          </div>
        </div>
      )}
    </>
  );
}

/** What would be sent. */
function Outcome({ definition, answers, language }: { definition: object; answers: Answers; language: string }) {
  const { t, app } = useDeskText();
  const lines = linesOf(definition, answers, language);
  return (
    <>
      <Notice tone="good" live title={t('versions.tried')} />
      <Card label={app('workItem.answers')}>
        <dl className="survey-answers">
          {lines.map(({ name, title, answer }) => (
            <div key={name} className="row">
              <dt>{title}</dt>
              <dd>{answer || app('workItem.noAnswer')}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}
