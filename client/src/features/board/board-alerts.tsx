/** What a person should look at: a line for each kind of thing, what it is about below, and who can do something about it. */
import './board.css';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useDeskText } from '../../desk/desk-text.ts';
import { useList } from '../../desk/use-list.tsx';
import { useLocationName } from '../../records.ts';
import { asRecord } from '../../rights.ts';
import { useAbility } from '../../session.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { SurveyRow } from '../../wire.ts';
import { CodeText } from '../coupons/code-text.tsx';
import { AskSuperAdmin } from '../people/ask-super-admin.tsx';
import { useWaitingPeople } from '../shell/waiting-people.tsx';
import type { AlertRow } from './board-wire.ts';

/** What waits for a reviewer is looked for this often. */
const EVERY = 60_000;

function whereTo({ survey, seed, location }: AlertRow): string | null {
  if (survey) return `/desk/surveys/${survey}`;
  if (seed) return `/desk/tree/${seed}`;
  return location ? `/desk/surveys?location=${location}` : null;
}

interface AlertsProps {
  alerts: AlertRow[];
  total: number;
  /** Interviews with a flag that nobody has resolved, and the list of them. */
  flagged: number;
  flaggedAt: string;
  /** Where the page tells of people who wait in another place, and is no place to say that there is nothing. */
  brief?: boolean;
}

export function Alerts({ alerts, total: known, flagged, flaggedAt, brief = false }: AlertsProps) {
  const { t, app, counted } = useDeskText();
  const people = useWaitingPeople();
  const may = useMay();
  const waiting = brief ? 0 : people;
  const { repeats, isReviewable } = useReviewWork();
  const ofKind = (kind: AlertRow['kind']) => alerts.filter((one) => one.kind === kind);
  // A coupon presented twice is a flag too: where there are no others, each of them stands below by itself.
  const others = flagged > 0 && flagged !== ofKind('CODE_PRESENTED_TWICE').length;
  const total =
    known + (others ? 1 : 0) + (waiting > 0 ? 1 : 0) + (repeats > 0 ? 1 : 0) + (isReviewable ? 1 : 0);
  if (total === 0 && brief) return null;
  if (total === 0) return <Notice tone="good" title={t('board.noAlerts')} />;
  return (
    <section aria-label={t('board.alerts')}>
      <h2 style={{ marginBottom: 10 }}>{t('board.alertsCount', counted(total))}</h2>
      <ul className="board-alerts">
        {waiting > 0 ? (
          <Thing
            title={app('nav.waiting', { count: waiting })}
            to="/desk/approvals"
            look={t('board.approve')}
          />
        ) : null}
        <OfKind kind="CODE_PRESENTED_TWICE" alerts={ofKind('CODE_PRESENTED_TWICE')} />
        {repeats > 0 ? (
          <Thing title={t('repeats.title')} to="/desk/repeats">
            {t('repeats.left', counted(repeats))}
          </Thing>
        ) : null}
        {others ? (
          <Thing title={t('board.flaggedAlert', counted(flagged))} to={flaggedAt}>
            {t('board.flaggedWhat')} {may('update') ? null : <WhoElseCan />}
          </Thing>
        ) : null}
        {isReviewable ? (
          <Thing title={t('review.waiting')} to="/desk/surveys?review=RECEIVED&status=COMPLETED">
            {t('review.waitingWhat')}
          </Thing>
        ) : null}
        <OfKind kind="SEED_DIED" alerts={ofKind('SEED_DIED')} />
        <OfKind kind="SITE_NOT_RETURNING" alerts={ofKind('SITE_NOT_RETURNING')} />
      </ul>
      {known > alerts.length ? (
        <p className="note">{t('board.moreAlerts', { count: known - alerts.length })}</p>
      ) : null}
    </section>
  );
}

/** What waits for a reviewer: possible repeats, and whether there are interviews that nobody has looked at. */
function useReviewWork(): { repeats: number; isReviewable: boolean } {
  const open = useAbility().can('review', 'Survey');
  const asking = { open, every: EVERY };
  const repeats = useList<SurveyRow>(
    '/api/surveys',
    { flag: 'POSSIBLE_REPEAT', limit: '1', total: 'true' },
    asking,
  );
  const received = useList<SurveyRow>(
    '/api/surveys',
    { review: 'RECEIVED', status: 'COMPLETED', limit: '1' },
    asking,
  );
  const [first] = received.rows ?? [];
  return { repeats: open ? (repeats.total ?? 0) : 0, isReviewable: open && first !== undefined };
}

interface ThingProps {
  title: string;
  to: string | null;
  look?: string;
  children?: ReactNode;
}

function Thing({ title, to, look, children }: ThingProps) {
  const { t } = useDeskText();
  return (
    <li>
      <Notice tone="warn" title={title}>
        {children ? <div>{children}</div> : null}
        {to ? (
          <Anchor component={Link} to={to} className="tall-link">
            {look ?? t('board.look')}
          </Anchor>
        ) : null}
      </Notice>
    </li>
  );
}

export function OfKind({ kind, alerts }: { kind: AlertRow['kind']; alerts: AlertRow[] }) {
  const { t, number } = useDeskText();
  const may = useMay();
  const [first] = alerts;
  if (!first) return null;
  const opens = (alert: AlertRow) => kind !== 'CODE_PRESENTED_TWICE' || may('read', alert);
  const title = t(`board.alert.${kind}`);
  const what = (
    <>
      {t(`board.alertWhat.${kind}`)}{' '}
      {kind !== 'CODE_PRESENTED_TWICE' || alerts.every((alert) => may('update', alert)) ? null : (
        <WhoElseCan />
      )}
    </>
  );
  if (alerts.length === 1)
    return (
      <Thing title={title} to={opens(first) ? whereTo(first) : null}>
        <About alert={first} />
        <div>{what}</div>
      </Thing>
    );
  return (
    <li>
      <Notice tone="warn" title={`${title} (${number(alerts.length)})`}>
        <div>{what}</div>
        <details className="more">
          <summary>{t('board.allAlerts', { shown: number(alerts.length) })}</summary>
          <ul className="board-each">
            {alerts.map((alert) => (
              <li key={`${alert.survey ?? alert.seed ?? alert.location}-${alert.since}`}>
                {opens(alert) ? (
                  <Anchor component={Link} to={whereTo(alert) ?? ''} className="tall-link">
                    <About alert={alert} />
                  </Anchor>
                ) : (
                  <About alert={alert} />
                )}
              </li>
            ))}
          </ul>
        </details>
      </Notice>
    </li>
  );
}

function About({ alert: { referralCode, location, since } }: { alert: AlertRow }) {
  const { t, moment } = useDeskText();
  const siteOf = useLocationName();
  return (
    <span>
      {referralCode ? <CodeText code={referralCode} /> : null} {location ? siteOf(location) : ''} ·{' '}
      {t('board.since', { at: moment(since) })}
    </span>
  );
}

/** Interviews of earlier days are closed to all but super-admins, and to whom they grant it. Without an alert: of any day. */
function useMay() {
  const ability = useAbility();
  return (action: 'read' | 'update', alert?: AlertRow) =>
    ability.can(
      action,
      asRecord('Survey', alert?.arrivedAt ? { createdAt: alert.arrivedAt, location: alert.location } : {}),
    );
}

function WhoElseCan() {
  const { t } = useDeskText();
  return (
    <b>
      {t('board.whoCan')} <AskSuperAdmin />
    </b>
  );
}
