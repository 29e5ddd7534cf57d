/** Creates or changes a population count: which people, how many of them are known, and the source. */
import { useState } from 'react';
import { now } from '../../../device/clock.ts';
import { useStudy } from '../../../session/records.ts';
import { dayIn } from '../../../texts/day-in.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { type FormField, type FormFieldRow, FormFields } from '../../kit/actions/fields.tsx';
import { sendChange } from '../../kit/actions/send.ts';
import { useRoundParam } from '../../kit/data/rounds.ts';
import { titleIn } from '../kit/format-figures.ts';
import { COUNTS_PATH, type KnownCount } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { useMayNarrowDays } from '../sample-filter.tsx';
import type { LoadedOutcomes } from '../use-outcomes.ts';

interface CountFormProps {
  outcomes: LoadedOutcomes;
  /** The count to change. Default: a new one. */
  count?: KnownCount;
  onClose(): void;
  onSaved(id: string): void;
}

const textsOf = (count: KnownCount | undefined, today: string) => ({
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
const REQUIRED_FIELDS = ['name', 'outcome', 'value', 'known', 'source', 'asOf', 'definition'] as const;
const OPTIONAL_FIELDS = ['knownLow', 'knownHigh', 'location', 'from', 'to'] as const;

/** The request body. An empty field is null in a change, to clear it, and omitted in a new count. */
function bodyOf(texts: Texts, count: KnownCount | undefined) {
  const body: Record<string, string | number | null> = { ...texts };
  for (const name of NUMBERS) if (texts[name]) body[name] = Number(texts[name]);
  for (const name of OPTIONAL_FIELDS) {
    if (texts[name]) continue;
    if (count) body[name] = null;
    else delete body[name];
  }
  return body;
}

export function CountForm({ outcomes, count, onClose, onSaved }: CountFormProps) {
  const { t, shared, language } = useResultsPageText();
  const zone = useStudy()?.zone;
  const round = useRoundParam();
  const mayNarrowDays = useMayNarrowDays();
  const [texts, setTexts] = useState(() => textsOf(count, dayIn(now(), zone)));
  const categories = (outcomes.outcomes ?? []).filter(({ kind }) => kind === 'CATEGORY');
  const levels = outcomes.find(texts.outcome)?.levels ?? [];
  const save = async () => {
    const path = count ? `${COUNTS_PATH}/${count.id}` : COUNTS_PATH;
    const saved = await sendChange<KnownCount>(
      count ? 'PATCH' : 'POST',
      path,
      count ? bodyOf(texts, count) : { ...bodyOf(texts, count), ...(round && { round }) },
    );
    onSaved(saved.id);
  };
  const fields = (rows: FormFieldRow<Texts>[]) => (
    <FormFields
      form={{ value: texts, set: (change) => setTexts({ ...texts, ...change }) }}
      size="md"
      words={(name) => ({ label: t(`count.${name as keyof Texts}`) })}
      rows={rows}
    />
  );
  const day = (name: keyof Texts): FormField<Texts> => ({ name, attributes: { type: 'date' } });
  return (
    <Dialog
      title={t(count ? 'count.change' : 'counts.make')}
      text={t('counts.formWhat')}
      yes={shared('common.save')}
      disabled={REQUIRED_FIELDS.some((name) => !texts[name])}
      onYes={save}
      onClose={onClose}
    >
      {fields([
        { name: 'name', attributes: { 'data-autofocus': true } },
        {
          name: 'outcome',
          as: 'choice',
          besides: () => ({ value: '' }),
          options: [
            { value: '', label: t('chooseOutcome') },
            ...categories.map(({ name, title }) => ({ value: name, label: titleIn(title, language, name) })),
          ],
        },
        {
          name: 'value',
          as: 'choice',
          disabled: levels.length === 0,
          options: [
            { value: '', label: t('count.chooseValue') },
            ...levels.map(({ value, title }) => ({ value, label: titleIn(title, language, value) })),
          ],
        },
        { name: 'known', as: 'number', description: t('count.knownWhat') },
        [
          { name: 'knownLow', as: 'number' },
          { name: 'knownHigh', as: 'number' },
        ],
        { name: 'source', description: t('count.sourceWhat') },
        day('asOf'),
        { name: 'definition', as: 'lines', description: t('count.definitionWhat') },
      ])}
      <details className="more">
        <summary>{t('count.only')}</summary>
        {fields([
          { name: 'location', as: 'site', site: { none: shared('common.allSites') } },
          mayNarrowDays && [day('from'), day('to')],
        ])}
      </details>
    </Dialog>
  );
}
