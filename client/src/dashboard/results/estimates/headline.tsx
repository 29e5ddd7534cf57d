/** The main result in a sentence, and its precision. */

import { formatDateTime } from '../../../texts/i18n.ts';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { percentageText, useFigureFormatters } from '../kit/format-figures.ts';
import { intervalSentence } from '../kit/interval-sentence.ts';
import { headlineLevels, mainInterval, useLevelTitle, useSuppressedFigureText } from '../kit/levels.ts';
import { NotAskedCount } from '../kit/not-asked.tsx';
import type { EstimateLevel, Estimates } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { RunProgress } from '../run-progress.tsx';
import type { IntervalRunsState } from '../use-runs.ts';

interface HeadlineProps {
  estimates: Estimates;
  title: string;
  runs: IntervalRunsState;
}

export function EstimatesHeadline({ estimates, title, runs }: HeadlineProps) {
  const { t, language } = useResultsPageText();
  const { sample, levels, kind, runConfidence } = estimates;
  const visibleLevels = headlineLevels(estimates);
  const { count } = useFigureFormatters(kind);
  const hidden = useSuppressedFigureText();
  const isOnly = kind === 'CATEGORY' && levels.length === 1 && !levels[0]?.hidden;
  return (
    <Card label={t('headline.label')}>
      <h2>{title}</h2>
      {visibleLevels.length === 0 ? <p>{hidden}</p> : null}
      <ul className="results-head">
        {visibleLevels.map((level) => (
          <li key={level.value ?? ''} data-level={level.value ?? ''}>
            {isOnly ? (
              <OnlyAnswer level={level} />
            ) : (
              <HeadlineFigure
                estimates={estimates}
                level={level}
                confidence={runConfidence === null ? '' : percentageText(runConfidence, language)}
              />
            )}
          </li>
        ))}
      </ul>
      {levels.length > visibleLevels.length && kind === 'CATEGORY' && levels.length > 2 ? (
        <p className="note">{t('headline.more')}</p>
      ) : null}
      <p className="note">
        {t('headline.of', {
          number: count(sample.n),
          seeds: count(sample.seeds),
          waves: count(sample.waves),
        })}{' '}
        {sample.orphans ? `${t('headline.orphans', { number: count(sample.orphans) })} ` : null}
        {t('headline.byRds2')}
      </p>
      <NotAskedCount people={sample.notAsked} />
      <HowCalculated estimates={estimates} />
      {isOnly ? null : <IntervalRuns estimates={estimates} runs={runs} />}
    </Card>
  );
}

function OnlyAnswer({ level }: { level: EstimateLevel }) {
  const { t } = useResultsPageText();
  const { short } = useFigureFormatters('CATEGORY');
  const titleOf = useLevelTitle();
  return (
    <>
      <div className="results-figure">{short(level.rds2)}</div>
      <div>
        <b>{titleOf(level)}</b>
        <div>{t('headline.all')}</div>
      </div>
    </>
  );
}

interface OneProps {
  estimates: Estimates;
  level: EstimateLevel;
  confidence: string;
}

function HeadlineFigure({ estimates, level, confidence }: OneProps) {
  const { t } = useResultsPageText();
  const { short, count } = useFigureFormatters(estimates.kind);
  const titleOf = useLevelTitle();
  const hidden = useSuppressedFigureText();
  const { rds2, mean, value } = level;
  if (level.hidden) return <p>{`${titleOf(level)}: ${hidden}`}</p>;
  const rangeOf = (interval: EstimateLevel['interval']) =>
    interval && { low: short(interval.low), high: short(interval.high) };
  const [narrow, wide] = [rangeOf(level.interval), rangeOf(level.cautious)];
  const says = intervalSentence(t, { first: estimates.first, narrow, wide }, confidence);
  const size = mainInterval(estimates, level)?.effectiveSize;
  const isAlike = estimates.notes.some(({ code }) => code === 'NO_VARIATION');
  return (
    <>
      <div className="results-figure">{short(rds2)}</div>
      <div>
        <b>{titleOf(level)}</b> {t(value === null ? 'headline.mean' : 'headline.share')}
        <div className={says ? undefined : 'results-open'}>
          {says ?? t(isAlike ? 'headline.noVariation' : 'headline.noInterval')}
        </div>
        <p className="note">
          {t('headline.unweighted', { share: short(mean) })}
          {typeof size === 'number' ? ` ${t('asGood', { count: Math.round(size), shown: count(size) })}` : ''}
        </p>
      </div>
    </>
  );
}

/** Which interval is shown first and why, and the methods. */
function HowCalculated({ estimates: { first, firstReason } }: { estimates: Estimates }) {
  const { t } = useResultsPageText();
  return (
    <>
      {first === 'CHAIN' || firstReason ? (
        <p className="note">{t(`headline.first.${firstReason?.code ?? 'CHAIN'}`)}</p>
      ) : null}
      <details className="more">
        <summary>{t('headline.how')}</summary>
        {(['headline.howEstimate', 'headline.howChain', 'headline.howTree'] as const).map((key) => (
          <p key={key} className="note">
            {t(key)}
          </p>
        ))}
      </details>
    </>
  );
}

/** The intervals have to be calculated: a button for it, the progress, and any failure. */
function IntervalRuns({ estimates, runs }: { estimates: Estimates; runs: IntervalRunsState }) {
  const { t, language } = useResultsPageText();
  const { sample, run, runAsOf } = estimates;
  const { open, failed } = runs;
  // Successive sampling requires a population at least as large as the sample.
  const hasSs = (sample.populationSize ?? 0) >= sample.n;
  const { submit, busy, error } = useSubmit(() =>
    runs.start([
      { method: 'CHAIN', estimator: 'RDS_II' },
      { method: 'TREE', estimator: 'RDS_II' },
      ...(hasSs ? [{ method: 'CHAIN', estimator: 'SS' } as const] : []),
    ]),
  );
  return (
    <div className="results-interval no-print">
      <p className="note">
        {runAsOf ? `${t('interval.dataOf', { at: formatDateTime(runAsOf, language) })} ` : ''}
        {t(run ? 'interval.fromRun' : 'interval.none')}
      </p>
      <div role="status">
        {open.map((one) => (
          <RunProgress key={one.id} run={one} />
        ))}
        {failed ? <p>{t('interval.failed', { why: failed.error ?? '' })}</p> : null}
      </div>
      {open.length === 0 ? (
        <div className="flow">
          <PlainButton
            label={t(run ? 'interval.anew' : 'interval.start')}
            variant={run ? 'default' : 'filled'}
            size="md"
            loading={busy}
            onClick={() => submit()}
          />
        </div>
      ) : null}
      <FormError error={error} />
    </div>
  );
}
