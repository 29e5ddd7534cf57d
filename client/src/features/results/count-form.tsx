/** Makes a count, or changes one: whom it is of, how many of them are known, and who says so. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Refusal, request } from '../../api.ts';
import { dayIn } from '../../desk/day-in.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { SiteSelect } from '../../desk/site-select.tsx';
import { refreshDesk } from '../../desk/use-list.tsx';
import { now } from '../../device/clock.ts';
import { useStudy } from '../../records.ts';
import { faultOf } from '../../ui/field-error.ts';
import { titleIn } from './figures.ts';
import { useResultsText } from './results-text.ts';
import { COUNTS, type Count } from './results-wire.ts';
import { useMayNarrowDays } from './sample-filter.tsx';
import type { Outcomes } from './use-outcomes.ts';

interface CountFormProps {
  outcomes: Outcomes;
  /** The one that is changed; else a new one is made. */
  count?: Count;
  onClose(): void;
  onSaved(id: string): void;
}

const textsOf = (count: Count | undefined, today: string) => ({
  name: count?.name ?? '',
  outcome: count?.outcome ?? '',
  value: count?.value ?? '',
  known: count ? String(count.known) : '',
  knownLow: count?.knownLow ? String(count.knownLow) : '',
  knownHigh: count?.knownHigh ? String(count.knownHigh) : '',
  source: count?.source ?? '',
  asOf: count?.asOf ?? today,
  definition: count?.definition ?? '',
  location: count?.location ?? '',
  from: count?.from ?? '',
  to: count?.to ?? '',
});
type Texts = ReturnType<typeof textsOf>;

const NUMBERS = ['known', 'knownLow', 'knownHigh'] as const;
const MAY_BE_OPEN = ['knownLow', 'knownHigh', 'location', 'from', 'to'] as const;

/** As the service wants it: what is left open is null where it was something before, and else not sent. */
function bodyOf(texts: Texts, count: Count | undefined) {
  const body: Record<string, string | number | null> = { ...texts };
  for (const name of NUMBERS) if (texts[name]) body[name] = Number(texts[name]);
  for (const name of MAY_BE_OPEN) {
    if (texts[name]) continue;
    if (count) body[name] = null;
    else delete body[name];
  }
  return body;
}

export function CountForm({ outcomes, count, onClose, onSaved }: CountFormProps) {
  const { t, desk, language } = useResultsText();
  const zone = useStudy()?.zone;
  const mayNarrowDays = useMayNarrowDays();
  const [texts, setTexts] = useState(() => textsOf(count, dayIn(now(), zone)));
  const [error, setError] = useState<unknown>(null);
  const set = (change: Partial<Texts>) => setTexts({ ...texts, ...change });
  const categories = (outcomes.outcomes ?? []).filter(({ kind }) => kind === 'CATEGORY');
  const levels = outcomes.find(texts.outcome)?.levels ?? [];
  const save = async () => {
    setError(null);
    try {
      const path = count ? `${COUNTS}/${count.id}` : COUNTS;
      const saved = await request<Count>(count ? 'PATCH' : 'POST', path, { body: bodyOf(texts, count) });
      await refreshDesk();
      onSaved(saved.id);
    } catch (fault) {
      if (fault instanceof Refusal) setError(fault);
      throw fault;
    }
  };
  const field = (name: keyof Texts) => ({
    mt: 'md',
    size: 'md',
    label: t(`count.${name}`),
    value: texts[name],
    error: faultOf(error, name),
  });
  const typed =
    (name: keyof Texts, clean: (text: string) => string = (text) => text) =>
    ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [name]: clean(currentTarget.value) });
  const whole = (text: string) => text.replace(/\D/g, '');
  const ready =
    texts.name &&
    texts.outcome &&
    texts.value &&
    texts.known &&
    texts.source &&
    texts.asOf &&
    texts.definition;
  return (
    <Dialog
      title={t(count ? 'count.change' : 'counts.make')}
      text={t('counts.formWhat')}
      yes={desk('common.save')}
      disabled={!ready}
      onYes={save}
      onClose={onClose}
    >
      <TextInput {...field('name')} onChange={typed('name')} data-autofocus />
      <NativeSelect
        {...field('outcome')}
        onChange={({ currentTarget }) => set({ outcome: currentTarget.value, value: '' })}
        data={[
          { value: '', label: t('chooseOutcome') },
          ...categories.map(({ name, title }) => ({ value: name, label: titleIn(title, language, name) })),
        ]}
      />
      <NativeSelect
        {...field('value')}
        onChange={typed('value')}
        disabled={levels.length === 0}
        data={[
          { value: '', label: t('count.chooseValue') },
          ...levels.map(({ value, title }) => ({ value, label: titleIn(title, language, value) })),
        ]}
      />
      <TextInput
        {...field('known')}
        description={t('count.knownWhat')}
        inputMode="numeric"
        onChange={typed('known', whole)}
      />
      <div className="desk-pair">
        <TextInput {...field('knownLow')} mt={0} inputMode="numeric" onChange={typed('knownLow', whole)} />
        <TextInput {...field('knownHigh')} mt={0} inputMode="numeric" onChange={typed('knownHigh', whole)} />
      </div>
      <TextInput {...field('source')} description={t('count.sourceWhat')} onChange={typed('source')} />
      <TextInput {...field('asOf')} type="date" onChange={typed('asOf')} />
      <Textarea
        {...field('definition')}
        description={t('count.definitionWhat')}
        autosize
        minRows={2}
        onChange={typed('definition')}
      />
      <details className="results-size">
        <summary>{t('count.only')}</summary>
        <SiteSelect
          value={texts.location}
          none={desk('common.allSites')}
          onChange={(location) => set({ location })}
        />
        {mayNarrowDays ? (
          <div className="desk-pair" style={{ marginTop: 0 }}>
            <TextInput {...field('from')} type="date" onChange={typed('from')} />
            <TextInput {...field('to')} type="date" onChange={typed('to')} />
          </div>
        ) : null}
      </details>
    </Dialog>
  );
}
