/** What to prepare for tomorrow: people, money, and interviewers, in one sentence per site. */
import { useState } from 'react';
import { useLocationName, useLocations, useStudy } from '../../../session/records.ts';
import { useReadsAll } from '../../../session/session.tsx';
import { moneyText } from '../../../texts/money.ts';
import { Card } from '../../../ui/page.tsx';
import { useRoundParam } from '../../kit/data/rounds.ts';
import { useGet } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { comingDaysForecastPath, type SitesForecast } from '../board-wire.ts';
import { dayInSentence } from './board-pace.tsx';

/** The forecast changes slowly. */
const REFRESH_MS = 300_000;
/** Each site takes one request. */
const MAX_SITES = 20;

export function TomorrowCard({ location, open }: { location: string; open: boolean }) {
  const { t } = useDashboardText();
  const forecast = useForecast(location, open);
  const [isOpen, setOpen] = useState(false);
  const sites = useLocations().slice(0, MAX_SITES);
  const bySite = useReadsAll('Recruitment') && location === '' && sites.length > 1;
  if (!forecast || forecast.noForecast === 'NO_OPEN_ROUND') return null;
  return (
    <Card heading={t('tomorrow.title')}>
      <p className="pace-words">
        <ForecastSentence forecast={forecast} />
      </p>
      {forecast.days && bySite ? (
        <details className="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('tomorrow.bySite')}</summary>
          {isOpen ? (
            <ul className="board-each">
              {sites.map(({ id }) => (
                <SiteForecast key={id} location={id} />
              ))}
            </ul>
          ) : null}
        </details>
      ) : null}
    </Card>
  );
}

const useForecast = (location: string, enabled: boolean) =>
  useGet<SitesForecast>(comingDaysForecastPath({ location, round: useRoundParam() }), {
    refetchInterval: REFRESH_MS,
    enabled,
  }).data;

function SiteForecast({ location }: { location: string }) {
  const siteOf = useLocationName();
  const forecast = useForecast(location, true);
  return (
    <li>
      <b>{siteOf(location)}</b>: {forecast ? <ForecastSentence forecast={forecast} /> : '…'}
    </li>
  );
}

function ForecastSentence({ forecast: { days, noForecast } }: { forecast: SitesForecast }) {
  const { t, number, language } = useDashboardText();
  const study = useStudy();
  const [tomorrow] = days ?? [];
  if (!tomorrow) return noForecast === 'TOO_FEW_RETURNS' ? t('tomorrow.tooFew') : null;
  const { day, expected, low, high, money, interviewers } = tomorrow;
  const currency = study?.incentives.currency;
  const amount = (sum: string) => (currency ? moneyText(sum, currency, language) : sum);
  return [
    t('tomorrow.people', {
      day: dayInSentence(day, language),
      expected: number(Math.min(high, Math.max(low, Math.round(expected)))),
      low: number(low),
      high: number(high),
    }),
    money
      ? t(study?.giftCards ? 'tomorrow.moneyOrCards' : 'tomorrow.money', {
          low: amount(money.low),
          high: amount(money.high),
        })
      : '',
    interviewers ? t('tomorrow.interviewers', { count: interviewers, shown: number(interviewers) }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
