/** The calculations of intervals: what was asked, how far each is, what came of it. */
import { Text } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { type Column, Table } from '../../desk/list-page.tsx';
import { shortMomentOf } from '../../desk/moment.ts';
import { Toast, useToast } from '../../desk/toast.tsx';
import { refreshDesk } from '../../desk/use-list.tsx';
import { numberOf } from '../../i18n.ts';
import { useAbility, useSession } from '../../session.tsx';
import { Tag, type Tone } from '../../ui/notice.tsx';
import { PersonName } from '../people/person-name.tsx';
import { ResultsPage } from './results-page.tsx';
import { useResultsText } from './results-text.ts';
import { RUNS, type Run, type RunState } from './results-wire.ts';
import { RunProgress } from './run-progress.tsx';
import { RunResult } from './run-result.tsx';
import { StartRun } from './start-run.tsx';
import { useOutcomes } from './use-outcomes.ts';
import { isOpen, useRuns } from './use-runs.ts';

const TONES: Record<RunState, Tone> = {
  WAITING: 'info',
  RUNNING: 'info',
  DONE: 'good',
  FAILED: 'bad',
  CANCELLED: 'warn',
};

export default function Runs() {
  const { t, language } = useResultsText();
  const { runs, error } = useRuns();
  const outcomes = useOutcomes();
  const toast = useToast();
  const [looked, setLooked] = useState<string | null>(null);
  const me = useSession()?.user.id;
  const all = useAbility().can('manage', 'all');
  const mayCancel = (run: Run) => isOpen(run) && (all || run.createdBy === me);
  const nameOf = ({ request: { outcome } }: Run) =>
    outcome === null ? t('runs.allOutcomes') : outcomes.titleOf(outcome);
  const cancel = async (run: Run) => {
    await request('DELETE', `${RUNS}/${run.id}`);
    await refreshDesk();
    toast.show({ text: t('runs.cancelled') });
  };
  const columns: Column<Run>[] = [
    { head: t('outcome'), cell: nameOf, roomy: true },
    { head: t('runs.methodHead'), cell: ({ request: asked }) => t(`runs.method.${asked.method}`) },
    {
      head: t('runs.samples'),
      cell: ({ request: asked }) => numberOf(asked.samples, language),
      numeric: true,
    },
    {
      head: t('runs.by'),
      cell: ({ createdBy }) => (createdBy ? <PersonName id={createdBy} /> : t('runs.byItself')),
    },
    { head: t('runs.at'), cell: ({ createdAt }) => shortMomentOf(createdAt, language) },
    {
      head: t('runs.stateHead'),
      cell: (run) =>
        isOpen(run) ? (
          <RunProgress run={run} />
        ) : (
          <Tag tone={TONES[run.state]}>{t(`runs.state.${run.state}`)}</Tag>
        ),
    },
  ];
  return (
    <ResultsPage page="runs">
      <StartRun outcomes={outcomes} />
      <h2>{t('runs.list')}</h2>
      <Table
        label={t('runs.list')}
        listing={{
          rows: runs,
          nextCursor: null,
          total: null,
          stale: false,
          error,
          again: () => void refreshDesk(),
        }}
        columns={columns}
        id={({ id }) => id}
        actions={(run) => (
          <>
            {run.state === 'DONE' || run.state === 'FAILED' ? (
              <LookButton run={run} name={nameOf(run)} looked={looked} onLook={setLooked} />
            ) : null}
            {mayCancel(run) ? (
              <DialogButton
                small
                label={t('runs.cancel')}
                about={nameOf(run)}
                text={t('runs.cancelWhat')}
                yes={t('runs.cancel')}
                onYes={() => cancel(run)}
              />
            ) : null}
          </>
        )}
        empty={t('runs.none')}
      />
      {looked ? <RunResult id={looked} outcomes={outcomes} /> : null}
      {!looked && runs?.some(({ state }) => state === 'DONE') ? (
        <Text c="dimmed">{t('runs.look')}</Text>
      ) : null}
      <Toast {...toast} />
    </ResultsPage>
  );
}

interface LookButtonProps {
  run: Run;
  name: string;
  looked: string | null;
  onLook(id: string | null): void;
}

function LookButton({ run, name, looked, onLook }: LookButtonProps) {
  const { t } = useResultsText();
  const label = t('runs.result');
  return (
    <button
      type="button"
      className="results-button"
      aria-pressed={looked === run.id}
      aria-label={`${label}: ${name}`}
      onClick={() => onLook(looked === run.id ? null : run.id)}
    >
      {label}
    </button>
  );
}
