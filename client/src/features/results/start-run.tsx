/** Begins a calculation of an interval. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { DayFilter, SiteFilter } from '../../desk/filters.tsx';
import { refreshDesk } from '../../desk/use-list.tsx';
import { useStudy } from '../../records.ts';
import { faultOf } from '../../ui/field-error.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { titleIn } from './figures.ts';
import { useResultsText } from './results-text.ts';
import { type Method, RUNS } from './results-wire.ts';
import { useMayNarrowDays } from './sample-filter.tsx';
import type { Outcomes } from './use-outcomes.ts';

const METHODS: Method[] = ['TREE', 'GILE', 'SALGANIK'];
const CONFIDENCES = ['0.8', '0.9', '0.95', '0.99'];
const ALL = '';

export function StartRun({ outcomes }: { outcomes: Outcomes }) {
  const { t, language } = useResultsText();
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
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const { submit, busy, error } = useSubmit(async () => {
    const { outcome, method, samples, confidence, randomSeed, populationSize, ...rest } = form;
    await request('POST', RUNS, {
      body: {
        outcome: outcome || null,
        method,
        samples: Number(samples),
        confidence: Number(confidence),
        ...(randomSeed ? { randomSeed: Number(randomSeed) } : {}),
        ...(populationSize && method === 'GILE' ? { populationSize: Number(populationSize) } : {}),
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value)),
      },
    });
    await refreshDesk();
  });
  const whole = (text: string) => text.replace(/\D/g, '');
  return (
    <Card label={t('startRun.title')}>
      <h2>{t('startRun.title')}</h2>
      <p className="chart-note">{t(`startRun.what.${form.method}`)}</p>
      <form onSubmit={submit} noValidate>
        <div className="desk-filters">
          <NativeSelect
            size="md"
            className="desk-filter-wide"
            label={t('outcome')}
            value={form.outcome}
            error={faultOf(error, 'outcome')}
            onChange={({ currentTarget }) => set({ outcome: currentTarget.value })}
            data={[
              ...(form.method === 'TREE' ? [{ value: ALL, label: t('runs.allOutcomes') }] : []),
              ...(outcomes.outcomes ?? []).map(({ name, title }) => ({
                value: name,
                label: titleIn(title, language, name),
              })),
            ]}
          />
          <NativeSelect
            size="md"
            label={t('runs.methodHead')}
            value={form.method}
            onChange={({ currentTarget }) => {
              const method = currentTarget.value as Method;
              const outcome =
                method === 'TREE' ? form.outcome : form.outcome || (outcomes.outcomes?.[0]?.name ?? '');
              set({ method, outcome });
            }}
            data={METHODS.map((value) => ({ value, label: t(`runs.method.${value}`) }))}
          />
          {form.method === 'GILE' ? (
            <TextInput
              size="md"
              inputMode="numeric"
              label={t('size.populationSize')}
              placeholder={study?.populationSize ? String(study.populationSize) : ''}
              value={form.populationSize}
              error={faultOf(error, 'populationSize')}
              onChange={({ currentTarget }) => set({ populationSize: whole(currentTarget.value) })}
            />
          ) : null}
          <SiteFilter value={form.location} onChange={(location) => set({ location })} />
          {mayNarrowDays ? (
            <>
              <DayFilter label={t('arrivedFrom')} value={form.from} onChange={(from) => set({ from })} />
              <DayFilter label={t('arrivedTo')} value={form.to} onChange={(to) => set({ to })} />
            </>
          ) : null}
        </div>
        <details className="results-size">
          <summary>{t('startRun.more')}</summary>
          <div className="desk-filters">
            <TextInput
              size="md"
              inputMode="numeric"
              label={t('runs.samples')}
              value={form.samples}
              error={faultOf(error, 'samples')}
              onChange={({ currentTarget }) => set({ samples: whole(currentTarget.value) })}
            />
            <NativeSelect
              size="md"
              label={t('runs.confidence')}
              value={form.confidence}
              onChange={({ currentTarget }) => set({ confidence: currentTarget.value })}
              data={CONFIDENCES.map((value) => ({ value, label: `${Math.round(100 * Number(value))} %` }))}
            />
            <TextInput
              size="md"
              inputMode="numeric"
              label={t('runs.randomSeed')}
              description={t('startRun.randomSeed')}
              value={form.randomSeed}
              error={faultOf(error, 'randomSeed')}
              onChange={({ currentTarget }) => set({ randomSeed: whole(currentTarget.value) })}
            />
          </div>
        </details>
        <FormError error={error} />
        <div className="results-row">
          <Button type="submit" size="md" loading={busy}>
            {t('startRun.go')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
