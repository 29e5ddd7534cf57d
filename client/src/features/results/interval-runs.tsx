/** How sure the figures are has to be worked out: the button for it, how far it is, why it failed. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { resultsPath } from './results-page.tsx';
import { useResultsText } from './results-text.ts';
import type { Estimates, Method } from './results-wire.ts';
import { RunProgress } from './run-progress.tsx';
import type { IntervalRunsState } from './use-runs.ts';

export function IntervalRuns({ estimates, runs }: { estimates: Estimates; runs: IntervalRunsState }) {
  const { t } = useResultsText();
  const { sample, run, kind } = estimates;
  const { open, failed } = runs;
  const at = runs.dataOf(run);
  // Gile's goes with successive sampling, which needs a size that can be.
  const gile = kind === 'CATEGORY' && (sample.populationSize ?? 0) >= sample.n;
  const methods: Method[] = gile ? ['TREE', 'GILE'] : ['TREE'];
  const { submit, busy, error } = useSubmit(() => runs.start(methods));
  return (
    <div className="results-interval no-print">
      <p className="note">
        {at ? `${t('interval.dataOf', { at })} ` : ''}
        {t(run ? 'interval.fromRun' : 'interval.none')}
      </p>
      <div role="status">
        {open.map((one) => (
          <RunProgress key={one.id} run={one} />
        ))}
        {failed ? <p>{t('interval.failed', { why: failed.error ?? '' })}</p> : null}
      </div>
      <div className="results-row">
        {open.length === 0 ? (
          <Button variant={run ? 'default' : 'filled'} size="md" loading={busy} onClick={() => submit()}>
            {t(run ? 'interval.anew' : 'interval.start')}
          </Button>
        ) : null}
        <Link className="tall-link" to={resultsPath('runs')}>
          {t('interval.all')}
        </Link>
      </div>
      <FormError error={error} />
    </div>
  );
}
