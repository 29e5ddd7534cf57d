/** The result of one calculation, in numbers. */
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { useRecord } from '../../kit/data/use-list.tsx';
import { FactList } from '../../kit/words/fact-list.tsx';
import { PlainTable, SaveButton } from '../chart/chart.tsx';
import { saveTable, type TableData } from '../chart/save-picture.ts';
import { shareOf, useFigures } from '../kit/format-figures.ts';
import { useHiddenText } from '../kit/levels.ts';
import { RUNS, type Run } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';
import type { Outcomes } from '../use-outcomes.ts';

export function RunResult({ id, outcomes }: { id: string; outcomes: Outcomes }) {
  const { t, language, number, moment } = useResultsText();
  const run = useRecord<Run>(`${RUNS}/${id}`).data;
  if (!run) return null;
  if (run.state === 'FAILED')
    return (
      <Notice tone="bad" title={t('runs.state.FAILED')}>
        {run.error}
      </Notice>
    );
  if (!run.result) return null;
  const { result } = run;
  const askedOf = ({ known, missing, notAsked }: typeof result.sample): [string, string][] =>
    known === null || missing === null
      ? []
      : [
          [t('sample.known'), number(known)],
          [t('sample.missing'), number(missing)],
          ...(notAsked ? [[t('sample.notAsked'), number(notAsked)] satisfies [string, string]] : []),
        ];
  return (
    <Card label={t('runs.result')}>
      <h2>{run.request.outcome === null ? t('runs.allOutcomes') : outcomes.titleOf(run.request.outcome)}</h2>
      <FactList
        facts={[
          [t('runs.methodHead'), t(`runs.method.${run.request.method}`)],
          [t('runs.dataOf'), moment(result.asOf)],
          [t('sample.n'), number(result.sample.n)],
          ...askedOf(result.sample),
          [t('runs.samples'), number(run.request.samples)],
          [t('runs.confidence'), shareOf(run.request.confidence, language)],
          [t('runs.randomSeed'), String(result.randomSeed)],
          [t('runs.dataHash'), <code key="hash">{result.dataHash.slice(0, 16)}</code>],
        ]}
      />
      {result.outcomes.map(({ name, levels }) => (
        <Found key={name} name={name} levels={levels} outcomes={outcomes} />
      ))}
    </Card>
  );
}

type FoundProps = NonNullable<Run['result']>['outcomes'][number] & { outcomes: Outcomes };

function Found({ name, levels, outcomes }: FoundProps) {
  const { t } = useResultsText();
  const kind = levels[0]?.value === null ? 'NUMBER' : 'CATEGORY';
  const { cells } = useFigures(kind);
  const hidden = useHiddenText();
  const title = outcomes.titleOf(name);
  const table: TableData = {
    head: [
      t('level'),
      t('table.estimate'),
      t('table.low'),
      t('table.high'),
      t('table.standardError'),
      t('table.designEffect'),
      t('table.effectiveSize'),
      t('table.dropped'),
    ],
    rows: levels.map((level) => [
      level.value === null ? t('mean') : outcomes.levelOf(name, level.value),
      level.hidden ? hidden : level.estimate,
      level.low,
      level.high,
      level.standardError,
      level.designEffect,
      level.effectiveSize,
      level.dropped,
    ]),
  };
  return (
    <section className="results-found" aria-label={title}>
      <h3>{title}</h3>
      {levels.length === 0 ? (
        <p className="note">{hidden}</p>
      ) : (
        <>
          <PlainTable label={title} table={table} write={cells({ 5: 'ratio', 6: 'count', 7: 'count' })} />
          <div className="results-row no-print">
            <SaveButton label={t('chart.csv')} about={title} onClick={() => saveTable(table, title)} />
          </div>
        </>
      )}
    </section>
  );
}
