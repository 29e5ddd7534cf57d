/** The words of the next version, question by question and language by language, without a look at its JSON. */

import { Button, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { primaryOf } from '../../../../src/lib/direction.ts';
import { languageName } from '../../../../src/lib/language-name.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { useStudy } from '../../records.ts';
import { Tag } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { inLanguage, languagesOf } from './questionnaire-outline.ts';
import {
  inThis,
  isOfWhole,
  type QuestionTexts,
  type TextPlace,
  textsOf,
  wholeTexts,
  withText,
} from './questionnaire-texts.ts';

interface WordsProps {
  definition: object;
  onChange(definition: object): void;
}

export function WordsEditor({ definition, onChange }: WordsProps) {
  const { t, language } = useDeskText();
  const { t: own } = useTranslation('builder');
  const ofStudy = useStudy()?.languages ?? [];
  const languages = [...new Set([...languagesOf(definition), ...ofStudy.map(primaryOf)])];
  const [spoken, setSpoken] = useState(languages.includes(language) ? language : 'en');
  const [open, setOpen] = useState<string | null>(null);
  const questions = useMemo(() => textsOf(definition), [definition]);
  const pages = new Map<string, QuestionTexts[]>();
  for (const question of questions) {
    const page = inLanguage(question.page, spoken);
    pages.set(page, [...(pages.get(page) ?? []), question]);
  }
  const whole = useMemo(() => wholeTexts(definition), [definition]);
  const missing = [...questions, { texts: whole }].filter((one) => lacks(one, spoken)).length;
  return (
    <>
      <NativeSelect
        size="md"
        label={t('versions.wordsIn')}
        description={missing > 0 ? t('versions.untranslated', { count: missing }) : undefined}
        value={spoken}
        onChange={(event) => setSpoken(event.currentTarget.value)}
        data={languages.map((value) => ({ value, label: languageName(value, language) }))}
      />
      {whole.length > 0 ? (
        <Card label={own('wholeQuestionnaire')}>
          <h2>{own('wholeQuestionnaire')}</h2>
          <div className="versions-words">
            {whole.map((place) => (
              <TextInLanguage
                key={place.path.join('.')}
                place={place}
                spoken={spoken}
                onText={(text) => onChange(withText(definition, place, spoken, text))}
              />
            ))}
          </div>
        </Card>
      ) : null}
      {[...pages].map(([page, ofPage]) => (
        <Card key={page} label={page}>
          <h2>{page}</h2>
          <ul className="versions-questions">
            {ofPage.map((question) => (
              <li key={question.name}>
                <Question
                  question={question}
                  spoken={spoken}
                  open={open === question.name}
                  onOpen={() => setOpen(open === question.name ? null : question.name)}
                  onText={(place, text) => onChange(withText(definition, place, spoken, text))}
                />
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

const lacks = ({ texts }: Pick<QuestionTexts, 'texts'>, spoken: string) =>
  texts.some(({ words }) => inThis(words, spoken) === '');

const withoutTags = (text: string) => text.replace(/<[^>]*>/g, ' ').trim();

interface QuestionProps {
  question: QuestionTexts;
  spoken: string;
  open: boolean;
  onOpen(): void;
  onText(place: TextPlace, text: string): void;
}

function Question({ question, spoken, open, onOpen, onText }: QuestionProps) {
  const { t } = useDeskText();
  const [first] = question.texts;
  const title = first ? withoutTags(inLanguage(first.words, spoken)) : question.name;
  return (
    <>
      <div className="versions-row" lang={spoken}>
        <span>
          {title.length > 160 ? `${title.slice(0, 159)}…` : title}{' '}
          {lacks(question, spoken) ? <Tag tone="warn">{t('versions.incomplete')}</Tag> : null}
        </span>
        <Button
          variant="default"
          size="sm"
          aria-expanded={open}
          aria-label={`${t('versions.changeWords')}: ${question.name}`}
          onClick={onOpen}
        >
          {t(open ? 'common.close' : 'versions.changeWords')}
        </Button>
      </div>
      {open ? (
        <div className="versions-words">
          {question.texts.map((place) => (
            <TextInLanguage
              key={place.path.join('.')}
              place={place}
              spoken={spoken}
              onText={(text) => onText(place, text)}
            />
          ))}
          <Text size="sm" c="dimmed">
            {t('versions.nameInData')} <code>{question.name}</code>
          </Text>
        </div>
      ) : null}
    </>
  );
}

function TextInLanguage({
  place,
  spoken,
  onText,
}: {
  place: TextPlace;
  spoken: string;
  onText(text: string): void;
}) {
  const { t } = useDeskText();
  const { t: own } = useTranslation('builder');
  const { role, words, value } = place;
  const first = inLanguage(words, 'en');
  const props = {
    size: 'md',
    lang: spoken,
    label: isOfWhole(role)
      ? own(`role.${role}`)
      : role === 'choice'
        ? t('versions.choiceOf', { value })
        : t(`versions.role.${role}`),
    ...(spoken === 'en' ? {} : { description: withoutTags(first) }),
    value: inThis(words, spoken),
    onChange: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
  };
  return role === 'choice' ? <TextInput {...props} /> : <Textarea autosize minRows={1} {...props} />;
}
