/** The progress of a calculation. */

import { percentageText } from './kit/format-figures.ts';
import type { AnalysisRun } from './kit/results-wire.ts';
import { useResultsPageText } from './results-text.ts';

export function RunProgress({ run }: { run: AnalysisRun }) {
  const { t, language } = useResultsPageText();
  const words =
    run.state === 'WAITING'
      ? t('runs.state.WAITING')
      : t('runs.soFar', { share: percentageText(run.progress, language) });
  return (
    <div className="run-progress">
      <div
        className="bar"
        role="progressbar"
        aria-label={t(`runs.method.${run.request.method}`)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(run.progress * 100)}
      >
        <div style={{ width: `${Math.max(2, run.progress * 100)}%` }} />
      </div>
      <span>{words}</span>
    </div>
  );
}
