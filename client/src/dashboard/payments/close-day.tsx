/** Closing the day: what was paid, by whom, where, and how, and what should be in the cash box. Printable. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { now } from '../../device/clock.ts';
import {
  CashLeftCalculator,
  DayTotals,
  PaymentFactsSection,
  usePaymentTotalText,
} from '../../phone/payments/day-totals.tsx';
import { type Query, withQuery } from '../../session/api.ts';
import { useLocationName, useStudy, useStudyName } from '../../session/records.ts';
import { useReadsAll, useSession } from '../../session/session.tsx';
import { dayIn } from '../../texts/day-in.ts';
import { fullDayOf } from '../../texts/i18n.ts';
import { SelectField } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { IncentiveSummary } from '../../wire.ts';
import { DownloadButton } from '../kit/actions/download-button.tsx';
import { requestDataFile } from '../kit/data/download.ts';
import { saveFile } from '../kit/data/save-file.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { useFilters } from '../kit/list/address.ts';
import { DashboardPage, PendingContent } from '../kit/list/dashboard-page.tsx';
import { ChoiceFilter, DayFilter, SiteFilter } from '../kit/list/filter-fields.tsx';
import { FilterBar } from '../kit/list/filters.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonName, usePersonOptions } from '../people/person-names.ts';
import { useUnsentBySiteText } from '../people/unsent-text.ts';
import { CashCount } from './cash-count.tsx';
import { usePaymentsText } from './payments-text.ts';
import { daysOf, PERIODS, type PeriodName, periodNameOf } from './periods.ts';

export default function CloseDay() {
  const { t, shared } = usePaymentsText();
  const { t: app } = useDashboardText();
  const all = useReadsAll('Incentive');
  const people = usePersonOptions();
  const zone = useStudy()?.zone;
  const filters = useFilters(['from', 'to', 'location', 'paidBy']);
  const { values, set } = filters;
  const today = dayIn(now(), zone);
  const from = (all && values.from) || today;
  const to = (all && values.to) || today;
  const { location, paidBy } = values;
  // Other people only read what was recorded today at their site.
  const query = { ...(all ? { location } : {}), from, to, paidBy };
  const file = { ...(all ? { location } : {}), paidFrom: from, paidTo: to, paidBy };
  const choose = (period: PeriodName) => {
    // Without dates the page shows today, and still does tomorrow.
    const days = period === 'today' ? { from: '', to: '' } : daysOf(period, today);
    set('from', days.from);
    set('to', days.to);
  };
  // Never shows the sums of previous filters, because the page is printed and signed.
  const summaryQuery = useGet<IncentiveSummary>(withQuery('/api/incentives/summary', query), {
    keepPrevious: false,
  });
  return (
    <DashboardPage
      title={t('close.title')}
      lead={t('close.lead')}
      back="/desk/payments"
      besideTitle={
        <>
          <DownloadPayments query={file} name={`payments-${[...new Set([from, to])].join('-')}.csv`} />
          <Button
            component={Link}
            to={withQuery('/desk/payments/days', all ? { location } : {})}
            variant="default"
          >
            {t('days.title')}
          </Button>
          <Button onClick={() => print()}>{shared('common.print')}</Button>
        </>
      }
    >
      <div className="no-print">
        <FilterBar filters={filters}>
          {all ? (
            <>
              <PeriodChoice value={periodNameOf({ from, to }, today)} onChange={choose} />
              <DayFilter label={app('common.from')} value={from} onChange={(day) => set('from', day)} />
              <DayFilter label={app('common.to')} value={to} onChange={(day) => set('to', day)} />
              <SiteFilter value={location} onChange={(site) => set('location', site)} />
            </>
          ) : null}
          <ChoiceFilter
            label={app('audit.field.paidBy')}
            value={paidBy}
            onChange={(person) => set('paidBy', person)}
            options={people}
          />
        </FilterBar>
      </div>
      {summaryQuery.data ? (
        <>
          {to === today ? <Missing location={all ? location : ''} /> : null}
          <Paper summary={summaryQuery.data} {...values} from={from} to={to} />
        </>
      ) : (
        <PendingContent error={summaryQuery.error} label={t('close.title')} />
      )}
    </DashboardPage>
  );
}

/** Printed too, so that whoever signs the page knows what is missing. */
function Missing({ location }: { location: string }) {
  const { t } = useDashboardText();
  const text = useUnsentBySiteText(location);
  return text ? (
    <Notice tone="warn" title={text}>
      <Link to={withQuery('/desk/devices', { location, pending: 'true' })}>{t('devices.title')}</Link>
    </Notice>
  ) : null;
}

interface PeriodChoiceProps {
  /** Null for other dates. */
  value: PeriodName | null;
  onChange(period: PeriodName): void;
}

function PeriodChoice({ value, onChange }: PeriodChoiceProps) {
  const { t } = usePaymentsText();
  return (
    <SelectField
      label={t('close.days')}
      value={value ?? ''}
      onChange={(period) => onChange(period as PeriodName)}
      none={!value && t('close.otherDays')}
      options={PERIODS.map((period) => ({ value: period, label: t(`close.period.${period}`) }))}
    />
  );
}

/** Contains exactly the payments that the page adds up. */
function DownloadPayments({ query, name }: { query: Query; name: string }) {
  const { t } = usePaymentsText();
  const save = async () => {
    saveFile(await requestDataFile(withQuery('/api/exports/incentives.csv', query)), name);
    return t('close.downloaded', { name });
  };
  return <DownloadButton save={save} />;
}

interface CashProps {
  summary: IncentiveSummary;
  site: string | null;
  day: string;
  isOfPerson: boolean;
}

/** The cash box belongs to a site, so a single person's payments don't close it. */
function Cash({ summary, site, day, isOfPerson }: CashProps) {
  const { t } = usePaymentsText();
  if (isOfPerson) return <CashLeftCalculator summary={summary} />;
  return site ? (
    <CashCount location={site} day={day} />
  ) : (
    <p className="note no-print">{t('close.chooseSite')}</p>
  );
}

interface PaperProps {
  summary: IncentiveSummary;
  from: string;
  to: string;
  location: string;
  paidBy: string;
}

function Paper({ summary, from, to, location, paidBy }: PaperProps) {
  const { t, language } = usePaymentsText();
  const study = useStudyName();
  const siteOf = useLocationName();
  const nameOf = usePersonName();
  const all = useReadsAll('Incentive');
  const own = useSession()?.currentLocation ?? null;
  const totalText = usePaymentTotalText(summary.currency);
  const { byPerson, byLocation, byDay, due, withdrawn } = summary;
  const site = (all ? location : own) || null;
  const days =
    from === to
      ? fullDayOf(from, language)
      : t('close.upTo', { from: fullDayOf(from, language), to: fullDayOf(to, language) });
  return (
    <section className="card close-day" aria-label={t('close.title')}>
      <h2>{study}</h2>
      <p>{[days, site ? siteOf(site) : '', paidBy ? nameOf(paidBy) : ''].filter(Boolean).join(' · ')}</p>
      <DayTotals summary={summary} />
      {from === to ? <Cash summary={summary} site={site} day={from} isOfPerson={paidBy !== ''} /> : null}
      <PaymentFactsSection
        label={t('close.byPerson')}
        facts={byPerson.map((one) => [nameOf(one.paidBy), totalText(one), one.paidBy])}
      />
      <PaymentFactsSection
        label={t('close.bySite')}
        facts={byLocation.map((one) => [siteOf(one.location), totalText(one), one.location])}
      />
      {byDay.length > 1 ? (
        <PaymentFactsSection
          label={t('close.byDay')}
          facts={byDay.map((one) => [fullDayOf(one.day, language), totalText(one), one.day])}
        />
      ) : null}
      {due && withdrawn ? (
        <>
          <PaymentFactsSection
            label={t('close.unpaid')}
            facts={[
              [t('close.owed'), totalText(due)],
              [t('close.withdrawn'), totalText(withdrawn)],
            ]}
          />
          <p className="note">{t('close.unpaidWhat')}</p>
        </>
      ) : null}
      <p className="signature">{t('close.signature')}</p>
    </section>
  );
}
