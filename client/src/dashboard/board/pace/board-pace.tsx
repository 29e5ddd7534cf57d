/** Progress towards the target: a sentence with what to do, and a chart with the forecast. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useAbility } from '../../../session/session.tsx';
import { formatDay, localeTagOf } from '../../../texts/i18n.ts';
import { Tag, type Tone } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { useRoundParam } from '../../kit/data/rounds.ts';
import { useGet } from '../../kit/data/use-list.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { type Pace, paceRequestPath } from '../board-wire.ts';
import { PaceChart } from './pace-chart.tsx';

const REFRESH_MS = 30_000;

/** Only advice that requires action is a warning. */
const TONES: Record<Pace['advice'], Tone> = {
  ROUND_CLOSED: 'info',
  NO_TARGET: 'info',
  DONE: 'good',
  FEWER_COUPONS: 'warn',
  MORE_SEEDS: 'warn',
  TOO_EARLY: 'info',
  NO_END_DATE: 'info',
  ON_PACE: 'good',
  BEHIND: 'warn',
};

/** Removes the Russian abbreviation of "year", whose period would collide with the sentence's. */
export const dayInSentence = (day: string, language: string) =>
  formatDay(day, language).replace(/\sг\.$/, '');

/** `open` is false until the page's main data has loaded. */
export function PaceCard({ location, enabled }: { location: string; enabled: boolean }) {
  const { t } = useDashboardText();
  const pace = useGet<Pace>(paceRequestPath({ location, round: useRoundParam() }), {
    refetchInterval: REFRESH_MS,
    enabled,
  }).data;
  if (!pace) return null;
  return (
    <Card heading={t('pace.title')}>
      <div className="pace-beside">
        <div>
          <PaceText pace={pace} />
          <Coupons pace={pace} />
        </div>
        {pace.total > 0 ? <PaceChart pace={pace} /> : null}
      </div>
    </Card>
  );
}

export function PaceText({ pace }: { pace: Pace }) {
  const { t, language, number, percent, counted } = useDashboardText();
  const oneDigit = (value: number) =>
    new Intl.NumberFormat(localeTagOf(language), { maximumFractionDigits: 1 }).format(value);
  const { target, total, forecast, noForecast, advice, endsOn, neededPerDay, daysLeft } = pace;
  // The target, and thus the advice, is for the whole study.
  const ofSite = pace.location !== null;
  const sentences = [
    target === null
      ? t('pace.total', counted(total))
      : t('pace.ofTarget', {
          total: number(total),
          target: number(target),
          // Rounded down, so that it isn't 100% before the target is reached.
          percent: percent(Math.floor((100 * total) / target) / 100),
        }),
    pace.pace ? t('pace.lately', { count: pace.pace.days, perDay: oneDigit(pace.pace.perDay) }) : '',
    advice !== 'DONE' && neededPerDay && daysLeft
      ? t('pace.needed', { perDay: oneDigit(neededPerDay), day: dayInSentence(endsOn ?? '', language) })
      : '',
    forecast?.atEnd && advice !== 'DONE'
      ? t('pace.atEnd', {
          day: dayInSentence(endsOn ?? '', language),
          expected: number(forecast.atEnd.expected),
          low: number(forecast.atEnd.low),
          high: number(forecast.atEnd.high),
        })
      : '',
    advice === 'DONE' ? '' : targetMetText(pace, t, language),
    noForecast && noForecast !== 'NO_OPEN_ROUND' ? t(`pace.why.${noForecast}`) : '',
  ];
  return (
    <>
      {ofSite ? null : (
        <p className="pace-words">
          <Tag tone={TONES[advice]}>{t(`pace.advice.${advice}`)}</Tag>
        </p>
      )}
      <p className="pace-words">{sentences.filter(Boolean).join(' ')}</p>
      {ofSite ? null : (
        <p className="note">
          {t(`pace.do.${advice}`)} <EndDateHint pace={pace} />
        </p>
      )}
    </>
  );
}

type T = ReturnType<typeof useDashboardText>['t'];

function targetMetText({ forecast, target }: Pace, t: T, language: string): string {
  if (!forecast?.targetMet || target === null) return '';
  const { expected, low, high } = forecast.targetMet;
  const words = (day: string | null) => (day ? dayInSentence(day, language) : null);
  if (!expected) return t('pace.notMet');
  if (expected === low && low === high) return t('pace.metOn', { day: words(expected) });
  return high
    ? t('pace.met', { day: words(expected), low: words(low), high: words(high) })
    : t('pace.metOpen', { day: words(expected), low: words(low) });
}

function EndDateHint({ pace: { advice } }: { pace: Pace }) {
  const { t } = useDashboardText();
  const ability = useAbility();
  if (advice === 'ROUND_CLOSED')
    return ability.can('manage', 'all') ? (
      <Anchor component={Link} to="/desk/rounds" inherit>
        {t('rounds.title')}
      </Anchor>
    ) : null;
  const lacking = advice === 'NO_TARGET' || advice === 'NO_END_DATE';
  if (!ability.can('update', 'Study', 'endsOn')) return null;
  return (
    <Anchor component={Link} to="/desk/study" inherit>
      {t(lacking ? 'pace.set' : 'pace.change')}
    </Anchor>
  );
}

function Coupons({ pace: { coupons, missing } }: { pace: Pace }) {
  const { t, number, percent, counted } = useDashboardText();
  const { out, returnRate, expected, settled } = coupons;
  if (out === 0 && settled === 0) return null;
  return (
    <p className="pace-words" data-pace="coupons">
      {returnRate === null || expected === null
        ? t('pace.couponsNoRate', counted(out))
        : t('pace.coupons', {
            ...counted(out),
            percent: percent(returnRate),
            expected: number(expected),
          })}{' '}
      {missing && expected !== null ? t('pace.couponsMissing', counted(missing)) : ''}
    </p>
  );
}
