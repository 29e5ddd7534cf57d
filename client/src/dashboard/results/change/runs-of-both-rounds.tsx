/**
 * For samples too large for immediate results: a button to calculate the intervals of both rounds, and the progress.
 */
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import type { OutcomeComparison } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { RunProgress } from '../run-progress.tsx';
import { useIntervalRuns } from '../use-runs.ts';

interface RunsOfBothRoundsProps {
  change: OutcomeComparison;
  again(): void;
}

export function MissingRunsNotice({ change, again }: RunsOfBothRoundsProps) {
  const { t } = useResultsPageText();
  const { outcome, rounds } = change;
  const earlier = useIntervalRuns({ outcome, round: rounds.from.id }, again);
  const later = useIntervalRuns({ outcome, round: rounds.to.id }, again);
  const open = [...earlier.open, ...later.open];
  const { submit, busy, error } = useSubmit(async () => {
    for (const runs of [earlier, later])
      await runs.start([
        { method: 'CHAIN', estimator: 'RDS_II' },
        { method: 'TREE', estimator: 'RDS_II' },
      ]);
  });
  if (change.first !== null && open.length === 0) return null;
  return (
    <Notice tone="info" title={t('change.needRuns')}>
      <p>{t('change.needRunsWhat')}</p>
      <div role="status">
        {open.map((run) => (
          <RunProgress key={run.id} run={run} />
        ))}
      </div>
      {open.length === 0 ? (
        <div className="flow no-print">
          <PlainButton label={t('interval.start')} size="md" loading={busy} onClick={() => submit()} />
        </div>
      ) : null}
      <FormError error={error} />
    </Notice>
  );
}
