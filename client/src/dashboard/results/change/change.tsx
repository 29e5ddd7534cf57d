/** What an outcome changed by between two rounds: the sentence first, then a chart, a table and how it was calculated. */
import { withQuery } from '../../../session/api.ts';
import { numberOf } from '../../../texts/i18n.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { DeskButton } from '../../kit/buttons/desk-button.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { useFilters } from '../../kit/list/address.ts';
import { Pending } from '../../kit/list/desk-page.tsx';
import { FilterBar } from '../../kit/list/filters.tsx';
import { ReportTable } from '../../kit/words/report-table.tsx';
import { PointsChart } from '../chart/points-chart.tsx';
import { titleIn, useFigures } from '../kit/format-figures.ts';
import { ResultsPage } from '../kit/results-page.tsx';
import type { Change, RoundChoices } from '../kit/results-wire.ts';
import { useCopy } from '../kit/use-copy.ts';
import { useResultsText } from '../results-text.ts';
import { OutcomeSelect } from '../sample-filter.tsx';
import { useOutcomes } from '../use-outcomes.ts';

const FILTERS = ['outcome', 'from', 'to'] as const;

export default function ChangePage() {
  const { t } = useResultsText();
  const rounds = useGet<RoundChoices>('/api/rounds?limit=200');
  const outcomes = useOutcomes();
  const error = rounds.error ?? outcomes.error;
  const isKnown = rounds.data !== undefined && outcomes.outcomes !== undefined;
  return (
    <ResultsPage page="change">
      {isKnown ? (
        <Chosen rounds={rounds.data.data} outcomes={outcomes.outcomes ?? []} />
      ) : (
        <Pending error={error} label={t('change.title')} />
      )}
    </ResultsPage>
  );
}

interface ChosenProps {
  /** The latest first. */
  rounds: RoundChoices['data'];
  outcomes: NonNullable<ReturnType<typeof useOutcomes>['outcomes']>;
}

function Chosen({ rounds, outcomes }: ChosenProps) {
  const { t } = useResultsText();
  const filters = useFilters(FILTERS);
  if (rounds.length < 2) return <Notice tone="info" title={t('change.oneRound')} />;
  const offered = outcomes.filter(({ decidesEligibility }) => !decidesEligibility);
  const { values } = filters;
  const outcome =
    values.outcome || (offered.find(({ coversEveryone }) => coversEveryone) ?? offered[0])?.name || '';
  const from = values.from || (rounds[1]?.id ?? '');
  const to = values.to || (rounds[0]?.id ?? '');
  const round = (name: 'from' | 'to', value: string) => (
    <Choice
      label={t(`change.${name}`)}
      value={value}
      options={rounds.map((one) => ({ value: one.id, label: one.name }))}
      onChange={(id) => filters.set(name, id)}
    />
  );
  return (
    <>
      <FilterBar filters={filters}>
        <OutcomeSelect
          label={t('outcome')}
          value={outcome}
          outcomes={offered}
          onChange={(name) => filters.set('outcome', name)}
        />
        {round('from', from)}
        {round('to', to)}
      </FilterBar>
      {from === to ? (
        <Notice tone="info" title={t('change.sameRound')} />
      ) : (
        <ChangeLoader path={withQuery('/api/analysis/change', { outcome, from, to })} />
      )}
    </>
  );
}

type Level = Change['levels'][number];

function ChangeLoader({ path }: { path: string }) {
  const { t } = useResultsText();
  const change = useGet<Change>(path, { every: 5 * 60_000 });
  if (!change.data) return <Pending error={change.error} label={t('change.title')} />;
  return <ChangeView change={change.data} />;
}

/** The interval that comes first. */
const firstOf = ({ first }: Change, { low, high, cautiousLow, cautiousHigh }: Level['difference']) =>
  first === 'TREE' ? { low: cautiousLow, high: cautiousHigh } : { low, high };

function ChangeView({ change }: { change: Change }) {
  const { t, language } = useResultsText();
  const { short, exact } = useFigures(change.kind);
  const nameOf = ({ value, title }: Level) => titleIn(title ?? {}, language, value ?? t('mean'));
  const points = (share: number | null) =>
    share === null ? '–' : numberOf(Number((100 * share).toFixed(1)), language);
  // A share that rises from 20% to 30% rises by 10 points, not by 10%.
  const amount = (figure: number | null) =>
    change.kind === 'CATEGORY' ? t('change.points', { number: points(figure) }) : short(figure);
  const visibleLevels = change.levels.filter(({ difference }) => difference.estimate !== null);
  const leading =
    visibleLevels.find(({ value }) => value === 'yes' || value === '1') ??
    [...visibleLevels].sort(
      (a, b) => Math.abs(b.difference.estimate ?? 0) - Math.abs(a.difference.estimate ?? 0),
    )[0];
  const sentence = leading ? sentenceOf(leading) : t('hidden');
  const rows = visibleLevels.map((level) => {
    const { low, high } = firstOf(change, level.difference);
    const { estimate } = level.difference;
    return {
      key: level.value ?? '',
      label: nameOf(level),
      value: estimate,
      says: short(estimate),
      low,
      high,
      main: true,
    };
  });
  return (
    <>
      <Card heading={t('change.result')}>
        <p style={{ fontSize: '1.15rem' }}>{sentence}</p>
        {rows.length > 0 ? (
          <PointsChart
            name={t('change.picture')}
            says={rows.map(({ label, says }) => `${label}: ${says}`).join('; ')}
            how={t('change.how')}
            groups={[{ key: 'levels', title: t('change.difference'), rows }]}
            fromZero={false}
            tick={short}
            table={{
              head: [t('level'), t('change.difference'), t('table.low'), t('table.high')],
              rows: rows.map(({ label, value, low, high }) => [label, value, low, high]),
            }}
            write={(cell) => (typeof cell === 'number' ? exact(cell) : (cell ?? '–'))}
          />
        ) : null}
      </Card>
      <Comparability change={change} />
      <Card heading={t('change.figures')}>
        <div className="change-figures">
          <Figures change={change} nameOf={nameOf} />
        </div>
        <CopyButton text={textOf(change)} />
      </Card>
    </>
  );

  function sentenceOf(level: Level): string {
    const { estimate } = level.difference;
    const { low, high } = firstOf(change, level.difference);
    const about = {
      level: nameOf(level),
      from: change.rounds.from.name,
      to: change.rounds.to.name,
      by: amount(Math.abs(estimate ?? 0)),
      low: change.kind === 'CATEGORY' ? points(low) : short(low),
      high: amount(high),
    };
    const direction = (estimate ?? 0) < 0 ? 'fell' : 'rose';
    const words = t(`change.${direction}`, about);
    if (low === null || high === null) return words;
    const isOpen = low <= 0 && high >= 0;
    return `${words} ${t(isOpen ? 'change.isOpen' : 'change.isShown', about)}`;
  }
}

function Figures({ change, nameOf }: { change: Change; nameOf(level: Level): string }) {
  const { t } = useResultsText();
  const { exact } = useFigures(change.kind);
  const range = (low: number | null, high: number | null) =>
    low === null || high === null ? '–' : `${exact(low)} … ${exact(high)}`;
  return (
    <ReportTable
      label={t('change.title')}
      rows={change.levels}
      keyOf={({ value }) => value ?? ''}
      columns={[
        { head: t('level'), cell: nameOf },
        { head: change.rounds.from.name, numeric: true, cell: ({ from }) => exact(from.estimate) },
        { head: change.rounds.to.name, numeric: true, cell: ({ to }) => exact(to.estimate) },
        {
          head: t('change.difference'),
          numeric: true,
          cell: ({ difference, hidden }) => (hidden ? t('countTables.hidden') : exact(difference.estimate)),
        },
        { head: t('change.chain'), numeric: true, cell: ({ difference: { low, high } }) => range(low, high) },
        {
          head: t('change.tree'),
          numeric: true,
          cell: ({ difference: { cautiousLow, cautiousHigh } }) => range(cautiousLow, cautiousHigh),
        },
        {
          head: t('change.standardised'),
          numeric: true,
          cell: ({ value }) =>
            exact(change.standardised?.levels.find((one) => one.value === value)?.difference.estimate),
        },
      ]}
    />
  );
}

function Comparability({ change: { comparability, standardised } }: { change: Change }) {
  const { t } = useResultsText();
  const words = t('change.comparability', { returnObjects: true }) as Record<string, string>;
  if (comparability.length === 0 && !standardised?.note) return null;
  return (
    <Notice tone="warn" title={t('change.hard')}>
      <ul>
        {comparability.map(({ code, message }) => (
          <li key={code}>{words[code] ?? message}</li>
        ))}
        {standardised?.note ? <li>{t('change.otherSites')}</li> : null}
      </ul>
    </Notice>
  );
}

const textOf = ({ levels }: Change): string =>
  levels.flatMap(({ value, sentence }) => (sentence ? [`${value ?? ''}: ${sentence}`] : [])).join('\n');

function CopyButton({ text }: { text: string }) {
  const { t } = useResultsText();
  const copy = useCopy();
  return (
    <div className="flow no-print">
      <DeskButton label={t('copy')} size="md" onClick={() => void copy(text)} />
    </div>
  );
}
