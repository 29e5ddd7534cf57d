/**
 * The study's own outcomes, calculated from answers. Each has a name and a title, and is estimated like a question.
 */
import { Button } from '@mantine/core';
import { languageNameInSentence } from '../../../../src/platform/lib/languages/language-name.ts';
import { ExpressionOutcome } from '../../../../src/study/settings/schema.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { FormFields, type FormState } from '../kit/actions/fields.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { CalculatedOutcomes } from './calculated-outcomes.tsx';
import type { StudySettings } from './setting-labels.ts';

type Outcome = Exclude<StudySettings['outcomes'][number], { fromQuestionnaire: true }>;

const NEW_OUTCOME: Outcome = { name: '', title: {}, kind: 'CATEGORY', expression: '' };
const MAX_OUTCOMES = 50;

export function StudyOutcomes({ value: { outcomes, languages }, set }: FormState<StudySettings>) {
  const { t } = useDashboardText();
  return (
    <Card heading={t('study.fields.outcomes')}>
      <p className="note">{t('study.what.outcomes')}</p>
      {outcomes.map((outcome, at) =>
        outcome.fromQuestionnaire === true ? null : (
          <OutcomeFields
            // biome-ignore lint/suspicious/noArrayIndexKey: the name is still being typed
            key={at}
            at={`outcomes.${at}`}
            languages={languages}
            value={outcome}
            set={(change) => set({ outcomes: outcomes.with(at, { ...outcome, ...change }) })}
            onRemove={() => set({ outcomes: outcomes.toSpliced(at, 1) })}
          />
        ),
      )}
      <PlainButton
        label={t('study.outcome.add')}
        mt="md"
        size="md"
        disabled={outcomes.length >= MAX_OUTCOMES}
        onClick={() => set({ outcomes: [...outcomes, NEW_OUTCOME] })}
      />
      <CalculatedOutcomes outcomes={outcomes} set={(next) => set({ outcomes: next })} />
    </Card>
  );
}

interface OutcomeFieldsProps extends FormState<Outcome> {
  at: string;
  languages: readonly string[];
  onRemove(): void;
}

function OutcomeFields({ at, languages, value, set, onRemove }: OutcomeFieldsProps) {
  const { t, language } = useDashboardText();
  const { name, title } = value;
  const setTitle = (change: Partial<Record<string, string>>) => {
    const texts = Object.entries({ ...title, ...change }).filter(([, text]) => text);
    set({ title: Object.fromEntries(texts) as Outcome['title'] });
  };
  return (
    <fieldset className="dashboard-outcome">
      <legend>{name || t('study.outcome.new')}</legend>
      <FormFields
        form={{ value, set }}
        schema={ExpressionOutcome}
        size="md"
        rows={[
          {
            name: 'name',
            path: `${at}.name`,
            label: t('study.outcome.name'),
            description: t('study.outcome.nameWhat'),
            attributes: { dir: 'ltr' },
          },
        ]}
      />
      <FormFields<Record<string, string>>
        form={{ value: title, set: setTitle }}
        size="md"
        rows={[...new Set([...languages, ...Object.keys(title)])].map((tag) => ({
          name: tag,
          path: `${at}.title.${tag}`,
          label: t('study.outcome.title', { language: languageNameInSentence(tag, language) }),
        }))}
      />
      <FormFields
        form={{ value, set }}
        schema={ExpressionOutcome}
        size="md"
        rows={[
          {
            name: 'kind',
            path: `${at}.kind`,
            label: t('study.outcome.kind'),
            options: (one) => t(`study.outcome.${one as Outcome['kind']}`),
          },
          {
            name: 'expression',
            as: 'lines',
            path: `${at}.expression`,
            label: t('study.outcome.expression'),
            description: t('study.outcome.expressionWhat'),
            attributes: { dir: 'ltr' },
          },
        ]}
      />
      <Button
        mt="sm"
        variant="subtle"
        color="red"
        size="md"
        leftSection={<Icon name="trash" size={20} />}
        onClick={onRemove}
      >
        {t('study.outcome.remove', { name: name || t('study.outcome.new') })}
      </Button>
    </fieldset>
  );
}
