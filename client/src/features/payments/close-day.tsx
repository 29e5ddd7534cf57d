/** Closing the day: what was paid by whom, where and how, and what should be in the cash box; to print. */
import { Button } from '@mantine/core';
import { withQuery } from '../../api.ts';
import { dayIn } from '../../day-in.ts';
import { DeskPage, Pending } from '../../desk/desk-page.tsx';
import { useDeskText } from '../../desk/desk-text.ts';
import { ChoiceFilter, DayFilter, FilterBar, SiteFilter, useFilters } from '../../desk/filters.tsx';
import { useGet } from '../../desk/use-list.tsx';
import { now } from '../../device/clock.ts';
import { datesAs } from '../../i18n.ts';
import { useLocationName, useStudy, useStudyName } from '../../records.ts';
import { readsAll } from '../../rights.ts';
import { useAbility, useSession } from '../../session.tsx';
import type { IncentiveSummary } from '../../wire.ts';
import { DayTotals, Facts, useTotalText } from '../paying/day-totals.tsx';
import { usePersonName, usePersonOptions } from '../people/person-names.ts';
import { usePaymentsText } from './payments-text.ts';

const dayOf = datesAs({ dateStyle: 'full', timeZone: 'UTC' });
const inWords = (day: string, language: string) => dayOf(`${day}T12:00:00Z`, language);

export default function CloseDay() {
  const { t, desk } = usePaymentsText();
  const { t: app } = useDeskText();
  const all = readsAll(useAbility(), 'Incentive');
  const people = usePersonOptions();
  const zone = useStudy()?.zone;
  const filters = useFilters(['from', 'to', 'location', 'paidBy']);
  const { values, set } = filters;
  const today = dayIn(now(), zone);
  const from = values.from || values.to || today;
  const to = values.to || from;
  // Others read no more than what was recorded today, whenever it was paid.
  const query = all ? { ...values, from, to } : { paidBy: values.paidBy };
  const asked = useGet<IncentiveSummary>(withQuery('/api/incentives/summary', query));
  return (
    <DeskPage
      title={t('close.title')}
      lead={t('close.lead')}
      back="/desk/payments"
      beside={<Button onClick={() => print()}>{desk('common.print')}</Button>}
    >
      <div className="no-print">
        <FilterBar filters={filters}>
          {all ? (
            <>
              <DayFilter label={app('common.from')} value={from} onChange={(day) => set('from', day)} />
              <DayFilter label={app('common.to')} value={to} onChange={(day) => set('to', day)} />
              <SiteFilter value={values.location} onChange={(site) => set('location', site)} />
            </>
          ) : null}
          <ChoiceFilter
            label={app('audit.field.paidBy')}
            value={values.paidBy}
            onChange={(person) => set('paidBy', person)}
            options={people}
          />
        </FilterBar>
      </div>
      {asked.data ? (
        <Paper summary={asked.data} {...values} from={from} to={to} />
      ) : (
        <Pending error={asked.error} label={t('close.title')} />
      )}
    </DeskPage>
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
  const { t, word, language } = usePaymentsText();
  const study = useStudyName();
  const siteOf = useLocationName();
  const nameOf = usePersonName();
  const all = readsAll(useAbility(), 'Incentive');
  const own = useSession()?.currentLocation ?? null;
  const totalText = useTotalText(summary.currency);
  const { byPerson, byLocation, byDay, due, withdrawn } = summary;
  const site = all ? location : own;
  const days =
    from === to
      ? inWords(from, language)
      : t('close.upTo', { from: inWords(from, language), to: inWords(to, language) });
  return (
    <section className="card close-day" aria-label={t('close.title')}>
      <h2>{study}</h2>
      <p>{[days, site ? siteOf(site) : '', paidBy ? nameOf(paidBy) : ''].filter(Boolean).join(' · ')}</p>
      <DayTotals summary={summary} />
      {byPerson.length > 0 ? (
        <Facts
          label={t('close.byPerson')}
          facts={byPerson.map((one) => [nameOf(one.paidBy), totalText(one), one.paidBy])}
        />
      ) : null}
      {byLocation.length > 0 ? (
        <Facts
          label={t('close.bySite')}
          facts={byLocation.map((one) => [siteOf(one.location), totalText(one), one.location])}
        />
      ) : null}
      {byDay.length > 1 ? (
        <Facts
          label={t('close.byDay')}
          facts={byDay.map((one) => [inWords(one.day, language), totalText(one), one.day])}
        />
      ) : null}
      {due && withdrawn ? (
        <>
          <Facts
            label={t('close.open')}
            facts={[
              [word('DUE'), totalText(due)],
              [word('WITHDRAWN'), totalText(withdrawn)],
            ]}
          />
          <p className="note">{t('close.openWhat')}</p>
        </>
      ) : null}
      <p className="signature">{t('close.signature')}</p>
    </section>
  );
}
