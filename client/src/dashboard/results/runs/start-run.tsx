/** Starts the calculation of an interval. */
import { useState } from 'react';
import { useStudy } from '../../../session/records.ts';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import { Fields, FormRefusal, type Row } from '../../kit/acts/fields.tsx';
import { send } from '../../kit/acts/send.ts';
import { DeskButton } from '../../kit/buttons/desk-button.tsx';
import { titleIn } from '../kit/format-figures.ts';
import { type Method, RUNS } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';
import { useMayNarrowDays } from '../sample-filter.tsx';
import type { Outcomes } from '../use-outcomes.ts';

const METHODS: Method[] = ['TREE', 'GILE', 'SALGANIK'];
const CONFIDENCES = ['0.8', '0.9', '0.95', '0.99'];
const ALL = '';
const DAY = { type: 'date' };

export function StartRun({ outcomes }: { outcomes: Outcomes }) {
  const { t, desk, language } = useResultsText();
  const study = useStudy();
  const mayNarrowDays = useMayNarrowDays();
  const [form, setForm] = useState({
    outcome: ALL,
    method: 'TREE' as Method,
    samples: '1000',
    confidence: '0.95',
    randomSeed: '',
    populationSize: '',
    location: '',
    from: '',
    to: '',
  });
  const { submit, busy, error } = useSubmit(async () => {
    const { outcome, method, samples, confidence, randomSeed, populationSize, ...rest } = form;
    await send('POST', RUNS, {
      outcome: outcome || null,
      method,
      samples: Number(samples),
      confidence: Number(confidence),
      ...(randomSeed ? { randomSeed: Number(randomSeed) } : {}),
      ...(populationSize && method === 'GILE' ? { populationSize: Number(populationSize) } : {}),
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value)),
    });
  });
  const fields = (rows: Row<typeof form>[]) => (
    <Fields
      className="desk-filters"
      size="md"
      form={{ value: form, set: (change) => setForm({ ...form, ...change }) }}
      rows={rows}
    />
  );
  const choices = (outcomes.outcomes ?? []).map(({ name, title }) => ({
    value: name,
    label: titleIn(title, language, name),
  }));
  return (
    <Card heading={t('startRun.title')}>
      <p className="note">{t(`startRun.what.${form.method}`)}</p>
      <form onSubmit={submit} noValidate>
        <FormRefusal value={error}>
          {fields([
            {
              name: 'outcome',
              as: 'choice',
              label: t('outcome'),
              attributes: { className: 'desk-filter-wide' },
              options: [
                ...(form.method === 'TREE' ? [{ value: ALL, label: t('runs.allOutcomes') }] : []),
                ...choices,
              ],
            },
            {
              name: 'method',
              as: 'choice',
              label: t('runs.methodHead'),
              options: METHODS.map((value) => ({ value, label: t(`runs.method.${value}`) })),
              besides: (method) =>
                method === 'TREE' ? {} : { outcome: form.outcome || (choices[0]?.value ?? '') },
            },
            form.method === 'GILE' && {
              name: 'populationSize',
              as: 'number',
              label: t('size.populationSize'),
              attributes: { placeholder: study?.populationSize ? String(study.populationSize) : '' },
            },
            { name: 'location', as: 'site', site: { none: desk('common.allSites') } },
            ...(mayNarrowDays
              ? [
                  { name: 'from' as const, label: t('arrivedFrom'), attributes: DAY },
                  { name: 'to' as const, label: t('arrivedTo'), attributes: DAY },
                ]
              : []),
          ])}
          <details className="more">
            <summary>{t('startRun.more')}</summary>
            {fields([
              { name: 'samples', as: 'number', label: t('runs.samples') },
              {
                name: 'confidence',
                as: 'choice',
                label: t('runs.confidence'),
                options: CONFIDENCES.map((value) => ({
                  value,
                  label: `${Math.round(100 * Number(value))} %`,
                })),
              },
              {
                name: 'randomSeed',
                as: 'number',
                label: t('runs.randomSeed'),
                description: t('startRun.randomSeed'),
              },
            ])}
          </details>
        </FormRefusal>
        <FormError error={error} />
        <div className="results-row">
          <DeskButton label={t('startRun.go')} variant="filled" type="submit" size="md" loading={busy} />
        </div>
      </form>
    </Card>
  );
}
