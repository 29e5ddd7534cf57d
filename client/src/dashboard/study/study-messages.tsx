/** Text messages to respondents: whether phones ask for a number, what is sent, and when. */
import { Checkbox, Text } from '@mantine/core';
import { languageNameInSentence } from '../../../../src/platform/lib/languages/language-name.ts';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import { MessageSettings, PLACEHOLDERS } from '../../../../src/study/settings/messages.ts';
import { StudyPatch } from '../../../../src/study/settings/schema.ts';
import { Card } from '../../ui/page.tsx';
import { FormFields, type FormState } from '../kit/actions/fields.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { type StudySettings, useSettingLabels } from './setting-labels.ts';

type Kinds = StudySettings['messages'];
type Times = Partial<Pick<Kinds['moneyDue'], 'afterHours'> & Pick<Kinds['couponsExpire'], 'daysBefore'>>;
const TIMES = {
  moneyDue: { schema: MessageSettings.shape.moneyDue.unwrap(), name: 'afterHours' },
  couponsExpire: { schema: MessageSettings.shape.couponsExpire.unwrap(), name: 'daysBefore' },
} as const;
type TimedKind = keyof typeof TIMES;
const KINDS = ['moneyDue', 'card', 'couponsExpire'] as const satisfies (keyof Kinds)[];

export function StudyMessageSettings({ value, set }: FormState<StudySettings>) {
  const { t } = useDashboardText();
  const words = useSettingLabels();
  const { contacts, messages, quietHours } = value;
  return (
    <Card heading={t('study.texts.title')}>
      <p className="note">{t('study.texts.what')}</p>
      <FormFields
        form={{ value, set }}
        schema={StudyPatch}
        words={words}
        size="md"
        rows={[{ name: 'contacts', values: ['SMS', 'OFF'] }, contacts === 'SMS' && 'contactDays']}
      />
      {contacts === 'SMS' ? (
        <>
          <TextsByLanguage
            path="contactConsent"
            label={(named) => t('study.texts.consent', named)}
            languages={value.languages}
            texts={value.contactConsent}
            set={(contactConsent) => set({ contactConsent })}
          />
          {KINDS.map((kind) => (
            <fieldset key={kind} className="dashboard-plain">
              <Checkbox
                mt="md"
                label={t(`study.texts.${kind}`)}
                checked={messages[kind].on}
                onChange={({ currentTarget: { checked } }) =>
                  set({ messages: { ...messages, [kind]: { ...messages[kind], on: checked } } })
                }
              />
              {messages[kind].on && kind !== 'card' ? <When kind={kind} value={value} set={set} /> : null}
              {messages[kind].on ? (
                <TextsByLanguage
                  path={`messages.${kind}.text`}
                  label={(named) => t('study.texts.text', named)}
                  languages={value.languages}
                  texts={messages[kind].text}
                  set={(text) => set({ messages: { ...messages, [kind]: { ...messages[kind], text } } })}
                />
              ) : null}
            </fieldset>
          ))}
          <Text size="sm" c="dimmed" mt={6}>
            {t('study.texts.names')} <bdi dir="ltr">{PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}</bdi>
          </Text>
          <FormFields<StudySettings['quietHours']>
            form={{ value: quietHours, set: (change) => set({ quietHours: { ...quietHours, ...change } }) }}
            size="md"
            rows={[
              [
                { name: 'from', path: 'quietHours.from', label: t('study.texts.quietFrom') },
                { name: 'to', path: 'quietHours.to', label: t('study.texts.quietTo') },
              ],
            ]}
          />
          <FormFields
            form={{ value, set }}
            schema={StudyPatch}
            words={words}
            size="md"
            rows={['messagesPerDay']}
          />
        </>
      ) : null}
    </Card>
  );
}

/** How long after money becomes due, or before coupons expire. */
function When({ kind, value: { messages }, set }: FormState<StudySettings> & { kind: TimedKind }) {
  const { t } = useDashboardText();
  const { schema, name } = TIMES[kind];
  return (
    <FormFields<Times>
      form={{
        value: messages[kind],
        set: (change) =>
          set({ messages: { ...messages, [kind]: { ...messages[kind], ...change } } as Kinds }),
      }}
      schema={schema}
      size="md"
      rows={[
        {
          name,
          path: `messages.${kind}.${name}`,
          label: t(`study.texts.${name}`),
          description: name === 'afterHours' ? t('study.texts.afterHoursWhat') : undefined,
        },
      ]}
    />
  );
}

interface TextsProps {
  path: string;
  label(named: { language: string }): string;
  languages: string[];
  texts: Record<string, string>;
  set(texts: Record<string, string>): void;
}

function TextsByLanguage({ path, label, languages, texts, set }: TextsProps) {
  const { language } = useDashboardText();
  return (
    <FormFields<Record<string, string>>
      form={{ value: texts, set: (change) => set({ ...texts, ...(change as Record<string, string>) }) }}
      size="md"
      rows={languages.map((tag) => ({
        name: tag,
        path: `${path}.${tag}`,
        as: 'lines',
        label: label({ language: languageNameInSentence(tag, language) }),
        attributes: { lang: tag, dir: textDirection(tag) },
      }))}
    />
  );
}
