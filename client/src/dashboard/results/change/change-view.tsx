/** The change of one outcome: a sentence, a chart, what limits the comparison, and a table. */
import { changeDirectionOf } from '../../../../../src/statistics/change/direction.ts';
import { Card } from '../../../ui/page.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useRounds } from '../../kit/data/rounds.ts';
import { ReportTable } from '../../kit/words/report-table.tsx';
import { PointsChart } from '../chart/points-chart.tsx';
import { titleIn, useFigureFormatters } from '../kit/format-figures.ts';
import { changeIntervalSentence } from '../kit/interval-sentence.ts';
import { useLevelTitle, useSuppressedFigureText } from '../kit/levels.ts';
import type { OutcomeComparison } from '../kit/results-wire.ts';
import { useCopy } from '../kit/use-copy.ts';
import { useResultsPageText } from '../results-text.ts';
import { Comparability } from './comparability.tsx';
import { MissingRunsNotice } from './runs-of-both-rounds.tsx';
import { isolateLeftToRight, useChangeFormat } from './use-points.ts';

type Level = OutcomeComparison['levels'][number];

interface ChangeViewProps {
  change: OutcomeComparison;
  title: string;
  again(): void;
}

/** The interval to show first. */
const intervalToShow = (
  { first }: OutcomeComparison,
  { low, high, cautiousLow, cautiousHigh }: Level['difference'],
) => (first === 'TREE' ? { low: cautiousLow, high: cautiousHigh } : { low, high });

export function OutcomeChangeView({ change, title, again }: ChangeViewProps) {
  const { t } = useResultsPageText();
  const copy = useCopy();
  const nameOf = useLevelTitle();
  const { amount, plain, cell } = useChangeFormat(change.kind);
  const levels = change.levels.filter(({ difference }) => difference.estimate !== null);
  const rows = levels.map((level) => ({
    key: level.value ?? '',
    label: nameOf(level),
    value: level.difference.estimate,
    says: amount(level.difference.estimate),
    ...intervalToShow(change, level.difference),
    main: true,
  }));
  return (
    <>
      <Card heading={t('change.result')}>
        <h3>{title}</h3>
        <Sentence change={change} levels={levels} />
        {change.basis === 'INTERVALS' ? <MissingRunsNotice change={change} again={again} /> : null}
        {rows.length > 0 ? (
          <PointsChart
            name={t('change.picture')}
            says={rows.map(({ label, says }) => `${label}: ${says}`).join('; ')}
            how={t('change.how')}
            groups={[{ key: 'levels', title: '', rows }]}
            fromZero={false}
            tick={plain}
            axis={t('change.difference')}
            table={{
              head: [t('level'), t('change.difference'), t('table.low'), t('table.high')],
              rows: rows.map(({ label, value, low, high }) => [label, value, low, high]),
            }}
            write={(value) => (typeof value === 'number' ? cell(value) : (value ?? '–'))}
          />
        ) : null}
        <HowCalculated change={change} />
        {rows.length > 0 ? (
          <div className="flow no-print">
            <PlainButton label={t('copy')} size="md" onClick={() => void copy(textOf(change, title))} />
          </div>
        ) : null}
      </Card>
      <Comparability
        comparability={change.comparability}
        hasOtherSites={change.standardised?.note !== null && change.standardised?.note !== undefined}
      />
      <Card heading={t('change.figures')}>
        <div className="change-figures">
          <Figures change={change} />
        </div>
      </Card>
    </>
  );
}

/** "Yes" for yes-or-no questions, otherwise the answer that changed most. */
const leadingOf = (levels: Level[]): Level | undefined =>
  levels.find(({ value }) => /^(yes|true|1)$/i.test(value ?? '')) ??
  levels.toSorted((a, b) => Math.abs(b.difference.estimate ?? 0) - Math.abs(a.difference.estimate ?? 0))[0];

/** If there may be no change, it isn't called a rise or a fall, even when only this sentence is quoted. */
const VERBS = { isRise: 'rose', isFall: 'fell', isOpen: 'differs' } as const;

function Sentence({ change, levels }: { change: OutcomeComparison; levels: Level[] }) {
  const { t } = useResultsPageText();
  const nameOf = useLevelTitle();
  const { exact } = useFigureFormatters(change.kind);
  const { plain, amount } = useChangeFormat(change.kind);
  const hidden = useSuppressedFigureText();
  const level = leadingOf(levels);
  const { from, to } = change.rounds;
  if (!level) return <p>{change.levels.some((one) => one.hidden) ? hidden : nothingOf(change)}</p>;
  const estimate = level.difference.estimate ?? 0;
  const { low, high } = intervalToShow(change, level.difference);
  const direction = changeDirectionOf(low, high);
  const verb = amount(estimate) === amount(0) ? 'same' : VERBS[direction ?? 'isOpen'];
  const by = amount(verb === 'differs' ? estimate : Math.abs(estimate));
  const words = t(`change.${verb}`, {
    ...{ level: nameOf(level), from: from.name, to: to.name, by },
    ...{ before: exact(level.from.estimate), after: exact(level.to.estimate) },
  });
  return (
    <>
      <p className="results-sentence">
        {words} {direction ? t(`change.${direction}`) : null}
      </p>
      <p>{intervals(level.difference)}</p>
    </>
  );

  function intervals({ low: l, high: h, cautiousLow: wl, cautiousHigh: wh }: Level['difference']): string {
    const narrow = l === null || h === null ? null : { low: plain(l), high: amount(h) };
    const wide = wl === null || wh === null ? null : { low: plain(wl), high: amount(wh) };
    return changeIntervalSentence(t, { first: change.first, narrow, wide }) ?? t('change.noInterval');
  }
  function nothingOf({ levels: all }: OutcomeComparison): string {
    const isEarlierEmpty = all.every((one) => one.from.estimate === null);
    return t('change.noAnswers', { round: isEarlierEmpty ? from.name : to.name });
  }
}

function HowCalculated({ change: { basis, standardised } }: { change: OutcomeComparison }) {
  const { t } = useResultsPageText();
  const { rounds } = useRounds();
  const shares = standardised?.shares;
  const round = rounds.find(({ id }) => id === shares)?.name ?? '';
  return (
    <details className="more">
      <summary>{t('headline.how')}</summary>
      <p className="note">{t('change.howEstimate')}</p>
      <p className="note">{t(`change.howInterval.${basis}`)}</p>
      <p className="note">{t('headline.howChain')}</p>
      <p className="note">{t('headline.howTree')}</p>
      {shares ? (
        <p className="note">{t(shares === 'STUDY' ? 'change.sitesOfStudy' : 'change.sitesOf', { round })}</p>
      ) : null}
      {basis === 'INTERVALS' && standardised?.levels.every(({ difference }) => difference.low === null) ? (
        <p className="note">{t('change.sitesNoInterval')}</p>
      ) : null}
    </details>
  );
}

function Figures({ change }: { change: OutcomeComparison }) {
  const { t, language } = useResultsPageText();
  const nameOf = useLevelTitle();
  const { exact } = useFigureFormatters(change.kind);
  const { cell } = useChangeFormat(change.kind);
  const range = (low: number | null, high: number | null) =>
    low === null || high === null ? '–' : isolateLeftToRight(`${cell(low)} … ${cell(high)}`, language);
  return (
    <>
      {change.kind === 'CATEGORY' ? <p className="note">{t('change.inPoints')}</p> : null}
      <ReportTable
        label={t('change.title')}
        rows={change.levels}
        keyOf={({ value }) => value ?? ''}
        columns={[
          { head: t('level'), cell: (level: Level) => nameOf(level) },
          { head: change.rounds.from.name, numeric: true, cell: ({ from }) => exact(from.estimate) },
          { head: change.rounds.to.name, numeric: true, cell: ({ to }) => exact(to.estimate) },
          {
            head: t('change.difference'),
            numeric: true,
            cell: ({ difference, hidden }) => (hidden ? t('countTables.hidden') : cell(difference.estimate)),
          },
          {
            head: t('change.chain'),
            numeric: true,
            cell: ({ difference: { low, high } }) => range(low, high),
          },
          {
            head: t('change.tree'),
            numeric: true,
            cell: ({ difference: { cautiousLow, cautiousHigh } }) => range(cautiousLow, cautiousHigh),
          },
          ...(change.standardised
            ? [
                {
                  head: t('change.standardised'),
                  numeric: true,
                  cell: ({ value }: Level) => {
                    const level = change.standardised?.levels.find((one) => one.value === value);
                    if (!level || level.difference.estimate === null) return '–';
                    const { estimate, low, high } = level.difference;
                    return low === null ? cell(estimate) : `${cell(estimate)} (${range(low, high)})`;
                  },
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

/** In English, for journals and funders. */
function textOf({ levels, rounds, first, comparability }: OutcomeComparison, title: string): string {
  const sentences = levels.flatMap(({ value, title: words, sentence }) =>
    sentence ? [value === null ? sentence : `${titleIn(words, 'en', value)}: ${sentence}`] : [],
  );
  const method =
    first === 'TREE'
      ? 'the tree bootstrap (Baraff, McCormick and Raftery 2016)'
      : 'a bootstrap along the recruitment chains (CHAIN; a variant of Salganik 2006, with classes of answer and site)';
  return [
    title,
    ...sentences,
    `Estimates are RDS-II (Volz and Heckathorn 2008); intervals of the difference between ${rounds.from.name} and ${rounds.to.name}, whose samples are independent, come from ${method}.`,
    ...(comparability.length > 0
      ? [`What differed: ${comparability.map(({ message }) => message).join(' ')}`]
      : []),
  ].join('\n');
}
