/** What the results rest on beside the interviews: how many people there are, who is too few to be shown, what is worked out of the answers. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { languageWithin } from '../../../../src/lib/language-name.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { useAbility } from '../../session.tsx';
import { faultOf } from '../../ui/field-error.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { NumberFields, type Settings, type StudyFormState } from './study-fields.tsx';

const MOST_PEOPLE = 1_000_000_000;
const MOST_OUTCOMES = 50;

export function StudyResults({ form }: { form: StudyFormState }) {
  const { t } = useDeskText();
  const { now, set, error } = form;
  const mayAllow = useAbility().can('update', 'Study', 'repeatCheck');
  return (
    <Card label={t('study.results')}>
      <h2>{t('study.results')}</h2>
      <NumberFields
        form={form}
        fields={[
          ['populationSize', 1, MOST_PEOPLE, true],
          ['populationSizeLow', 1, MOST_PEOPLE, true],
          ['populationSizeHigh', 1, MOST_PEOPLE, true],
          ['smallestCell', 0, 50, false],
        ]}
      />
      <Checkbox
        mt="lg"
        size="md"
        label={t('study.fields.analysisRuns')}
        description={t('study.what.analysisRuns')}
        error={faultOf(error, 'analysisRuns')}
        checked={now.analysisRuns === 'AUTOMATIC'}
        onChange={(event) => set({ analysisRuns: event.currentTarget.checked ? 'AUTOMATIC' : 'OFF' })}
      />
      <Checkbox
        mt="lg"
        size="md"
        label={t('study.fields.repeatCheck')}
        description={t('study.what.repeatCheck')}
        error={faultOf(error, 'repeatCheck')}
        disabled={!mayAllow}
        checked={now.repeatCheck}
        onChange={(event) => set({ repeatCheck: event.currentTarget.checked })}
      />
    </Card>
  );
}

type Outcome = Settings['outcomes'][number];

const NEW: Outcome = { name: '', title: {}, kind: 'CATEGORY', expression: '' };

/** Each is estimated like a question, under a name and a title of its own. */
export function StudyOutcomes({ form: { now, set, error } }: { form: StudyFormState }) {
  const { t } = useDeskText();
  const mayChange = useAbility().can('update', 'Study', 'outcomes');
  const { outcomes } = now;
  const change = (at: number, to: Partial<Outcome>) =>
    set({ outcomes: outcomes.map((one, index) => (index === at ? { ...one, ...to } : one)) });
  if (!mayChange) return null;
  return (
    <Card label={t('study.fields.outcomes')}>
      <h2>{t('study.fields.outcomes')}</h2>
      <p className="desk-note">{t('study.what.outcomes')}</p>
      {outcomes.map((outcome, at) => (
        <OutcomeFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the name is being typed
          key={at}
          outcome={outcome}
          languages={now.languages}
          fault={(field) => faultOf(error, `outcomes.${at}.${field}`)}
          onChange={(to) => change(at, to)}
          onRemove={() => set({ outcomes: outcomes.filter((_, index) => index !== at) })}
        />
      ))}
      <Button
        mt="md"
        variant="default"
        size="md"
        disabled={outcomes.length >= MOST_OUTCOMES}
        onClick={() => set({ outcomes: [...outcomes, NEW] })}
      >
        {t('study.outcome.add')}
      </Button>
    </Card>
  );
}

interface OutcomeFieldsProps {
  outcome: Outcome;
  languages: readonly string[];
  fault(field: string): string | undefined;
  onChange(to: Partial<Outcome>): void;
  onRemove(): void;
}

function OutcomeFields({ outcome, languages, fault, onChange, onRemove }: OutcomeFieldsProps) {
  const { t, language } = useDeskText();
  const { name, title, kind, expression } = outcome;
  const titled = [...new Set([...languages, ...Object.keys(title)])];
  const setTitle = (tag: string, text: string) => {
    const { [tag]: _, ...others } = title;
    onChange({ title: text ? { ...title, [tag]: text } : others });
  };
  return (
    <fieldset className="desk-outcome">
      <legend>{name || t('study.outcome.new')}</legend>
      <TextInput
        size="md"
        label={t('study.outcome.name')}
        description={t('study.outcome.nameWhat')}
        dir="ltr"
        error={fault('name')}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {titled.map((tag) => (
        <TextInput
          key={tag}
          mt="sm"
          size="md"
          label={t('study.outcome.title', { language: languageWithin(tag, language) })}
          error={fault(`title.${tag}`)}
          value={title[tag] ?? ''}
          onChange={(event) => setTitle(tag, event.currentTarget.value)}
        />
      ))}
      <NativeSelect
        mt="sm"
        size="md"
        label={t('study.outcome.kind')}
        error={fault('kind')}
        value={kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value as Outcome['kind'] })}
        data={[
          { value: 'CATEGORY', label: t('study.outcome.CATEGORY') },
          { value: 'NUMBER', label: t('study.outcome.NUMBER') },
        ]}
      />
      <Textarea
        mt="sm"
        size="md"
        autosize
        minRows={2}
        dir="ltr"
        label={t('study.outcome.expression')}
        description={t('study.outcome.expressionWhat')}
        error={fault('expression')}
        value={expression}
        onChange={(event) => onChange({ expression: event.currentTarget.value })}
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
