/** Calculations of confidence intervals: the request, the progress and the result of each. */
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useAbility, useSession } from '../../../session/session.tsx';
import { Tag } from '../../../ui/notice.tsx';
import { send } from '../../kit/acts/send.ts';
import { listingOf } from '../../kit/data/use-list.tsx';
import { List } from '../../kit/list/list.tsx';
import { toneOf } from '../../kit/words/state-tag.tsx';
import { PersonName } from '../../people/person-name.tsx';
import { ResultsPage } from '../kit/results-page.tsx';
import { RUNS, type Run } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';
import { RunProgress } from '../run-progress.tsx';
import { useOutcomes } from '../use-outcomes.ts';
import { isOpen, useRuns } from '../use-runs.ts';
import { RunResult } from './run-result.tsx';
import { StartRun } from './start-run.tsx';

export default function Runs() {
  const { t, number } = useResultsText();
  const { runs, asked } = useRuns();
  const outcomes = useOutcomes();
  const [looked, setLooked] = useState<string | null>(null);
  const me = useSession()?.user.id;
  const all = useAbility().can('manage', 'all');
  const mayCancel = (run: Run) => isOpen(run) && (all || run.createdBy === me);
  const nameOf = ({ request: { outcome } }: Run) =>
    outcome === null ? t('runs.allOutcomes') : outcomes.titleOf(outcome);
  return (
    <ResultsPage page="runs">
      <StartRun outcomes={outcomes} />
      <h2>{t('runs.list')}</h2>
      <List<Run>
        minimal
        name="runs"
        path={RUNS}
        listing={listingOf(asked, runs)}
        subject="Run"
        label={t('runs.list')}
        columns={[
          { head: t('outcome'), cell: nameOf, roomy: true },
          { head: t('runs.methodHead'), cell: ({ request: { method } }) => t(`runs.method.${method}`) },
          {
            head: t('runs.samples'),
            cell: ({ request: { samples } }) => number(samples),
            numeric: true,
          },
          {
            head: t('runs.by'),
            cell: ({ createdBy }) => (createdBy ? <PersonName id={createdBy} /> : t('runs.automatic')),
          },
          { field: 'createdAt', as: 'moment', head: t('runs.at') },
          { head: t('runs.stateHead'), cell: (run) => <State run={run} /> },
        ]}
        rowName={nameOf}
        rowActions={(run) => [
          (run.state === 'DONE' || run.state === 'FAILED') && {
            label: t('runs.result'),
            pressed: looked === run.id,
            onClick: () => setLooked(looked === run.id ? null : run.id),
          },
          mayCancel(run) && {
            label: t('runs.cancel'),
            text: t('runs.cancelWhat'),
            send: () => send('DELETE', `${RUNS}/${run.id}`),
            message: t('runs.cancelled'),
          },
        ]}
        empty={t('runs.none')}
      />
      {looked ? <RunResult id={looked} outcomes={outcomes} /> : null}
      {!looked && runs?.some(({ state }) => state === 'DONE') ? (
        <Text c="dimmed">{t('runs.look')}</Text>
      ) : null}
    </ResultsPage>
  );
}

function State({ run }: { run: Run }) {
  const { t } = useResultsText();
  return isOpen(run) ? (
    <RunProgress run={run} />
  ) : (
    <Tag tone={toneOf(run.state)}>{t(`runs.state.${run.state}`)}</Tag>
  );
}
