/** What a person should look at, each with where it leads. */
import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useDeskText } from '../../desk/desk-text.ts';
import { momentOf, numberOf } from '../../i18n.ts';
import { useLocationName } from '../../records.ts';
import { Notice } from '../../ui/notice.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import type { AlertRow } from './board-wire.ts';

function whereTo({ survey, seed, location }: AlertRow): string | null {
  if (survey) return `/desk/surveys/${survey}`;
  if (seed) return `/desk/tree/${seed}`;
  return location ? `/desk/surveys?location=${location}` : null;
}

/** Shown at first: the board is below them. */
const FEW = 4;

interface AlertsProps {
  alerts: AlertRow[];
  total: number;
  /** Interviews with a flag that nobody has resolved, and the list of them. */
  flagged: number;
  flaggedAt: string;
}

export function Alerts({ alerts, total: known, flagged, flaggedAt }: AlertsProps) {
  const { t, language } = useDeskText();
  const siteOf = useLocationName();
  const [all, setAll] = useState(false);
  const shown = all ? alerts : alerts.slice(0, FEW);
  // A coupon presented twice is a flag too: where there are no others, each of them stands below by itself.
  const others =
    flagged > 0 && flagged !== alerts.filter(({ kind }) => kind === 'CODE_PRESENTED_TWICE').length;
  const total = known + (others ? 1 : 0);
  if (total === 0) return <Notice tone="good" title={t('board.noAlerts')} />;
  return (
    <section aria-label={t('board.alerts')}>
      <h2 style={{ marginBottom: 10 }}>
        {t('board.alertsCount', { count: total, shown: numberOf(total, language) })}
      </h2>
      <ul className="board-alerts">
        {others ? (
          <li>
            <Notice
              tone="warn"
              title={t('board.flaggedAlert', { count: flagged, shown: numberOf(flagged, language) })}
            >
              <div>{t('board.flaggedWhat')}</div>
              <Anchor component={Link} to={flaggedAt} className="tall-link">
                {t('board.look')}
              </Anchor>
            </Notice>
          </li>
        ) : null}
        {shown.map((alert) => {
          const to = whereTo(alert);
          return (
            <li key={`${alert.kind}-${alert.survey ?? alert.seed ?? alert.location}-${alert.since}`}>
              <Notice tone="warn" title={t(`board.alert.${alert.kind}`)}>
                <div>
                  {alert.referralCode ? <CodeText code={alert.referralCode} /> : null}{' '}
                  {alert.location ? siteOf(alert.location) : ''} ·{' '}
                  {t('board.since', { at: momentOf(alert.since, language) })}
                </div>
                <div>{t(`board.alertWhat.${alert.kind}`)}</div>
                {to ? (
                  <Anchor component={Link} to={to} className="tall-link">
                    {t('board.look')}
                  </Anchor>
                ) : null}
              </Notice>
            </li>
          );
        })}
      </ul>
      {all && known > alerts.length ? (
        <p className="bars-note">{t('board.moreAlerts', { count: known - alerts.length })}</p>
      ) : null}
      {alerts.length > FEW ? (
        <Button variant="default" size="md" h={48} mt="sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('board.fewer') : t('board.allAlerts', { shown: numberOf(alerts.length, language) })}
        </Button>
      ) : null}
    </section>
  );
}
