/** One population count: the estimated size, its interval, and the text for a report. */
import { useNavigate, useParams } from 'react-router';
import { useLocationName } from '../../../session/records.ts';
import { formatDay } from '../../../texts/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { DialogButton } from '../../kit/actions/dialog.tsx';
import { sendChange } from '../../kit/actions/send.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { OpenButton } from '../../kit/buttons/open-button.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { PendingContent } from '../../kit/list/dashboard-page.tsx';
import { FactList } from '../../kit/words/fact-list.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { dashboardResultsPath, ResultsPageFrame } from '../kit/results-page.tsx';
import {
  COUNTS_PATH,
  type CountEstimate,
  type CountTables as CountTablesReply,
  type KnownCount,
  type TotalRange,
} from '../kit/results-wire.ts';
import { useCopy } from '../kit/use-copy.ts';
import { useResultsPageText } from '../results-text.ts';
import { RunProgress } from '../run-progress.tsx';
import { useOutcomes } from '../use-outcomes.ts';
import { useIntervalRuns } from '../use-runs.ts';
import { CountEstimateChart } from './count-chart.tsx';
import { CountForm } from './count-form.tsx';
import { useCountIntervalText } from './count-intervals.ts';
import { CountTables } from './count-tables.tsx';

export default function CountPage() {
  const { id = '' } = useParams();
  const { t } = useResultsPageText();
  const count = useGet<KnownCount>(`${COUNTS_PATH}/${id}`);
  const estimate = useGet<CountEstimate>(`${COUNTS_PATH}/${id}/estimate`, {
    // The interval may still be calculating.
    refetchInterval: (latest) => (latest?.run === null ? 15_000 : 60_000),
  });
  const error = (count.data ? null : count.error) ?? (estimate.data ? null : estimate.error);
  return (
    <ResultsPageFrame
      page="counts"
      title={count.data?.name ?? t('counts.title')}
      back={dashboardResultsPath('counts')}
    >
      {/* If the count was deleted, shows only the error. */}
      {count.data && estimate.data ? (
        <CountResult count={count.data} estimate={estimate.data} again={() => void estimate.refetch()} />
      ) : (
        <PendingContent error={error} label={t('counts.title')} />
      )}
    </ResultsPageFrame>
  );
}

interface KnownProps {
  count: KnownCount;
  estimate: CountEstimate;
  again(): void;
}

function CountResult({ count, estimate, again }: KnownProps) {
  const { t } = useResultsPageText();
  const intervalsOf = useCountIntervalText();
  const { outcome, round, location, from, to } = count;
  const runs = useIntervalRuns(
    { outcome, round, location: location ?? '', from: from ?? '', to: to ?? '' },
    again,
  );
  const tables = useGet<CountTablesReply>(`${COUNTS_PATH}/${count.id}/tables`, {
    refetchInterval: 5 * 60_000,
  });
  const shownEstimate = withTables(count, estimate, tables.data);
  const isOpen = runs.open.length > 0 || tables.isPending;
  return (
    <>
      <Card label={t('count.result')}>
        <div className="count-totals">
          <Total
            label={t('count.total')}
            range={shownEstimate.total}
            isOpen={isOpen}
            intervals={tables.data && shownEstimate.total ? intervalsOf(tables.data, 'adults') : ''}
          />
          <Total label={t('count.others')} range={shownEstimate.others} isOpen={isOpen} />
        </div>
        <Precision estimate={estimate} />
        <div role="status">
          {runs.open.map((run) => (
            <RunProgress key={run.id} run={run} />
          ))}
        </div>
      </Card>
      <Notes estimate={estimate} />
      <CountTables count={count} tables={tables.data} error={tables.error} />
      <CountText text={shownEstimate.text} />
      <CountEstimateChart count={count} estimate={shownEstimate} />
      <Definition count={count} />
    </>
  );
}

/** A page shows one interval of the total: the tables' interval, if they have one. */
function withTables(
  { known, knownLow, knownHigh }: KnownCount,
  estimate: CountEstimate,
  tables: CountTablesReply | undefined,
): CountEstimate {
  const adults = tables?.totals.adults;
  if (!estimate.total || adults?.estimate == null) return estimate;
  const { low, high } = adults;
  const total = { estimate: adults.estimate, low, high };
  const less = (bound: number | null) => (bound === null ? null : bound - known);
  const isExact = knownLow === null && knownHigh === null;
  const others = isExact
    ? { estimate: total.estimate - known, low: less(low), high: less(high) }
    : estimate.others;
  return { ...estimate, total, others, text: tables?.text ?? estimate.text };
}

interface TotalProps {
  label: string;
  range: TotalRange;
  /** Both intervals in a sentence, if known. */
  intervals?: string;
  /** The interval is being calculated. */
  isOpen: boolean;
}

function Total({ label, range, isOpen, intervals = '' }: TotalProps) {
  const { t } = useResultsPageText();
  const { count } = useFigureFormatters('NUMBER');
  const { estimate = null, low = null, high = null } = range ?? {};
  const isUnknown = low === null && high === null;
  return (
    <div>
      <b>{label}</b>
      <div className="results-figure">{count(estimate)}</div>
      {estimate === null || (isUnknown && !isOpen) ? null : (
        <div className={isUnknown ? 'results-open' : undefined}>{between()}</div>
      )}
    </div>
  );
  function between() {
    if (intervals) return intervals;
    if (isUnknown) return t('count.noInterval');
    if (high === null) return t('count.atLeast', { low: count(low) });
    return t('count.between', { low: count(low), high: count(high) });
  }
}

function Precision({ estimate: { effectiveSize, share } }: { estimate: CountEstimate }) {
  const { t } = useResultsPageText();
  const { short } = useFigureFormatters('CATEGORY');
  const { count } = useFigureFormatters('NUMBER');
  return (
    <p className="note">
      {t('count.share', { share: short(share) })}{' '}
      {effectiveSize === null
        ? null
        : t('asGood', { count: Math.round(effectiveSize), shown: count(effectiveSize) })}
    </p>
  );
}

function Notes({ estimate: { notes } }: { estimate: CountEstimate }) {
  const { t } = useResultsPageText();
  const words = t('count.notes', { returnObjects: true }) as Partial<Record<string, string>>;
  // Notes on other estimators appear next to them in the chart.
  const visibleNotes = notes.filter(({ estimator }) => estimator === null || estimator === 'RDS_II');
  return visibleNotes.map(({ code, message }) => (
    <Notice key={code} tone={code === 'NOT_PRECISE' ? 'bad' : 'warn'} title={words[code] ?? message}>
      {code === 'NOT_PRECISE' ? t('count.notes.notPreciseWhat') : null}
      {code === 'NO_INTERVAL' ? message : null}
    </Notice>
  ));
}

function CountText({ text }: { text: string }) {
  const { t } = useResultsPageText();
  const copy = useCopy();
  return (
    <Card heading={t('count.text')}>
      <p className="note">{t('count.textWhat')}</p>
      {/* The service writes this text in English, for journals and funders. */}
      <blockquote className="count-text" lang="en" dir="ltr">
        {text}
      </blockquote>
      <div className="flow no-print">
        <PlainButton label={t('copy')} size="md" onClick={() => void copy(text)} />
      </div>
    </Card>
  );
}

function Definition({ count }: { count: KnownCount }) {
  const { t, shared, language } = useResultsPageText();
  const navigate = useNavigate();
  const siteOf = useLocationName();
  const outcomes = useOutcomes();
  const number = useFigureFormatters('NUMBER').count;
  const remove = async () => {
    await sendChange('DELETE', `${COUNTS_PATH}/${count.id}`);
    void navigate(dashboardResultsPath('counts'));
  };
  return (
    <Card heading={t('count.made')}>
      <FactList
        facts={[
          [t('outcome'), outcomes.titleOf(count.outcome)],
          [t('level'), outcomes.levelOf(count.outcome, count.value)],
          [t('count.known'), number(count.known)],
          [t('count.knownLow'), number(count.knownLow)],
          [t('count.knownHigh'), number(count.knownHigh)],
          [t('count.source'), count.source],
          [t('count.asOf'), formatDay(count.asOf, language)],
          [t('count.definition'), count.definition || '–'],
          [shared('common.site'), count.location ? siteOf(count.location) : shared('common.allSites')],
          [t('arrivedFrom'), count.from ? formatDay(count.from, language) : '–'],
          [t('arrivedTo'), count.to ? formatDay(count.to, language) : '–'],
        ]}
      />
      <div className="flow no-print">
        <OpenButton variant="default" size="md" label={t('count.change')}>
          {(close) => <CountForm outcomes={outcomes} count={count} onClose={close} onSaved={close} />}
        </OpenButton>
        <DialogButton
          label={shared('common.delete')}
          title={t('count.deleteTitle', { name: count.name })}
          text={t('count.deleteWhat')}
          yes={shared('common.delete')}
          danger
          onYes={remove}
        />
      </div>
    </Card>
  );
}
