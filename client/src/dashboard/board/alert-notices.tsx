/** What needs attention: one line per kind, with the interviews, chains or sites concerned. */
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CodeText } from '../../phone/coupons/code-text.tsx';
import { useLocationName } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { AskSuperAdmin } from '../people/ask-super-admin.tsx';
import type { AlertRow } from './board-wire.ts';

function linkOf({ survey, seed, location }: AlertRow): string | null {
  if (survey) return `/desk/surveys/${survey}`;
  if (seed) return `/desk/tree/${seed}`;
  return location ? `/desk/surveys?location=${location}` : null;
}

/** Someone is waiting, or the sample is at risk. Everything else is work, not a warning. */
const URGENT: readonly AlertRow['kind'][] = ['CODE_PRESENTED_TWICE', 'SITE_NOT_RETURNING'];
const toneOf = (isUrgent: boolean | undefined) => (isUrgent ? 'warn' : 'info');

interface AlertNoticeProps {
  title: string;
  urgent?: boolean;
  to: string | null;
  look?: string;
  children?: ReactNode;
}

export function AlertNotice({ title, urgent, to, look, children }: AlertNoticeProps) {
  const { t } = useDashboardText();
  return (
    <li>
      <Notice tone={toneOf(urgent)} icon={urgent ? 'alert' : 'list'} title={title}>
        {children ? <div className="alert-what">{children}</div> : null}
        {to ? (
          <Anchor component={Link} to={to} className="tall-link">
            {look ?? t('board.look')}
          </Anchor>
        ) : null}
      </Notice>
    </li>
  );
}

export function AlertsOfKind({ kind, alerts }: { kind: AlertRow['kind']; alerts: AlertRow[] }) {
  const { t, number } = useDashboardText();
  const may = useAlertRight();
  const [first] = alerts;
  if (!first) return null;
  const urgent = URGENT.includes(kind);
  const opens = (alert: AlertRow) => kind !== 'CODE_PRESENTED_TWICE' || may('read', alert);
  const title = t(`board.alert.${kind}`);
  const what = (
    <>
      {t(`board.alertWhat.${kind}`)}{' '}
      {kind !== 'CODE_PRESENTED_TWICE' || alerts.every((alert) => may('update', alert)) ? null : (
        <WhoCanActNote />
      )}
    </>
  );
  if (alerts.length === 1)
    return (
      <AlertNotice title={title} urgent={urgent} to={opens(first) ? linkOf(first) : null}>
        <AlertSource alert={first} />
        <div>{what}</div>
      </AlertNotice>
    );
  return (
    <li>
      <Notice
        tone={toneOf(urgent)}
        icon={urgent ? 'alert' : 'list'}
        title={`${title} (${number(alerts.length)})`}
      >
        <div className="alert-what">{what}</div>
        <details className="more">
          <summary>{t('board.allAlerts', { shown: number(alerts.length) })}</summary>
          <ul className="board-each">
            {alerts.map((alert) => (
              <li key={`${alert.survey ?? alert.seed ?? alert.location}-${alert.since}`}>
                {opens(alert) ? (
                  <Anchor component={Link} to={linkOf(alert) ?? ''} className="tall-link">
                    <AlertSource alert={alert} />
                  </Anchor>
                ) : (
                  <AlertSource alert={alert} />
                )}
              </li>
            ))}
          </ul>
        </details>
      </Notice>
    </li>
  );
}

function AlertSource({ alert: { referralCode, location, since } }: { alert: AlertRow }) {
  const { t, moment } = useDashboardText();
  const siteOf = useLocationName();
  return (
    <span>
      {referralCode ? <CodeText code={referralCode} /> : null} {location ? siteOf(location) : ''} ·{' '}
      {t('board.since', { at: moment(since) })}
    </span>
  );
}

/**
 * Only super admins, and people they granted it to, can access interviews of earlier days. Without an alert, the
 * permission must cover all days.
 */
export function useAlertRight() {
  const ability = useAbility();
  return (action: 'read' | 'update' | 'review', alert?: AlertRow) =>
    ability.can(
      action,
      asPermissionSubject(
        'Survey',
        alert?.arrivedAt ? { createdAt: alert.arrivedAt, location: alert.location } : {},
      ),
    );
}

/** Says who can act on interviews of earlier days. */
export function WhoCanActNote({ textKey = 'board.whoCan' }: { textKey?: 'board.whoCan' | 'review.whoCan' }) {
  const { t } = useDashboardText();
  return (
    <b>
      {t(textKey)} <AskSuperAdmin />
    </b>
  );
}
