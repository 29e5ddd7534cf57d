/** What needs attention, most urgent first, with the page for it and who can act on it. */
import './board.css';
import type { ReactNode } from 'react';
import { usePendingUserCount } from '../../phone/shell/waiting-people.tsx';
import { withQuery } from '../../session/api.ts';
import { useAbility } from '../../session/session.tsx';
import { moneyText } from '../../texts/money.ts';
import { Notice } from '../../ui/notice.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { AlertNotice, AlertsOfKind, useAlertRight, WhoCanActNote } from './alert-notices.tsx';
import type { AlertRow, RecruitmentSummary } from './board-wire.ts';
import { useTasks } from './use-tasks.ts';

interface AlertsProps {
  summary: Pick<RecruitmentSummary, 'alerts' | 'alertsTotal' | 'totals'>;
  /** The filters of the totals, for links to the lists of interviews. */
  within?: Record<string, string | undefined>;
  /** True if the totals are filtered. The alerts always cover the whole study. */
  narrowed?: boolean;
  /** Shows nothing instead of "no alerts". */
  brief?: boolean;
}

export function Alerts({ summary, within = {}, narrowed = false, brief = false }: AlertsProps) {
  const { t, app, counted } = useDashboardText();
  const { alerts, alertsTotal } = summary;
  const waiting = usePendingUserCount();
  const ofKind = (kind: AlertRow['kind']) => alerts.filter((one) => one.kind === kind);
  const twice = ofKind('CODE_PRESENTED_TWICE');
  const work = useTaskNotices(summary, within, narrowed ? null : twice.length);
  const kinds = new Set(alerts.map(({ kind }) => kind)).size;
  // Counts cards: each is one thing to do, no matter how many interviews it covers.
  const total = (waiting > 0 ? 1 : 0) + kinds + work.length;
  if (total === 0 && brief) return null;
  if (total === 0) return <Notice tone="good" title={t('board.noAlerts')} />;
  return (
    <section aria-label={t('board.alerts')}>
      <h2 style={{ marginBottom: 10 }}>{t('board.alertsCount', counted(total))}</h2>
      <ul className="board-alerts">
        {waiting > 0 ? (
          <AlertNotice
            urgent
            title={app('nav.waiting', { count: waiting })}
            to="/desk/approvals"
            look={t('board.approve')}
          />
        ) : null}
        <AlertsOfKind kind="CODE_PRESENTED_TWICE" alerts={twice} />
        {work}
        <AlertsOfKind kind="SEED_DIED" alerts={ofKind('SEED_DIED')} />
        <AlertsOfKind kind="SITE_NOT_RETURNING" alerts={ofKind('SITE_NOT_RETURNING')} />
      </ul>
      {alertsTotal > alerts.length ? (
        <p className="note">{t('board.moreAlerts', { count: alertsTotal - alerts.length })}</p>
      ) : null}
    </section>
  );
}

/** Notices for work done in lists. `twice`: number of coupons presented twice, null if unknown. */
function useTaskNotices(
  { totals: { flagged, toReview, hasIssues } }: AlertsProps['summary'],
  within: object,
  twice: number | null,
): ReactNode[] {
  const { t, counted, moment, language } = useDashboardText();
  const ability = useAbility();
  const may = useAlertRight();
  const { repeats, findings, unpaid, lowCards } = useTasks();
  // Only linked for people who may review interviews on some day.
  const reviews = ability.can('review', 'Survey');
  const listPath = (filters: Record<string, string>) => withQuery('/desk/surveys', { ...filters, ...within });
  return [
    repeats > 0 ? (
      <AlertNotice key="repeats" title={t('repeats.title')} to="/desk/repeats">
        {t('repeats.left', counted(repeats))}
      </AlertNotice>
    ) : null,
    // Coupons presented twice are flagged too. If there are no other flags, their own notice is enough.
    flagged > 0 && flagged !== twice ? (
      <AlertNotice
        key="flagged"
        title={t('board.flaggedAlert', counted(flagged))}
        to={listPath({ flag: 'any' })}
      >
        {t('board.flaggedWhat')} {may('update') ? null : <WhoCanActNote />}
      </AlertNotice>
    ) : null,
    unpaid ? (
      <AlertNotice
        key="unpaid"
        title={t('board.unpaid', counted(unpaid.count))}
        to="/desk/payments?state=DUE&sort=createdAt"
      >
        {t('board.unpaidWhat', { at: moment(unpaid.since) })}
      </AlertNotice>
    ) : null,
    lowCards.length > 0 ? (
      <AlertNotice key="lowCards" title={t('board.lowCards')} to="/desk/payments/cards">
        {t('board.lowCardsWhat', {
          amounts: lowCards
            .map(({ amount, currency }) => moneyText(amount, currency, language))
            .join(t('common.comma')),
        })}
      </AlertNotice>
    ) : null,
    findings > 0 ? (
      <AlertNotice key="findings" title={t('board.findings', counted(findings))} to="/desk/quality">
        {t('board.findingsWhat')}
      </AlertNotice>
    ) : null,
    hasIssues > 0 ? (
      <AlertNotice
        key="hasIssues"
        title={t('board.hasIssues', counted(hasIssues))}
        to={listPath({ review: 'HAS_ISSUES' })}
      >
        {t('board.hasIssuesWhat')} {may('update') ? null : <WhoCanActNote />}
      </AlertNotice>
    ) : null,
    toReview > 0 ? (
      <AlertNotice
        key="toReview"
        title={t('board.toReview', counted(toReview))}
        to={reviews ? listPath({ review: 'RECEIVED', status: 'COMPLETED' }) : null}
      >
        {t('review.waitingWhat')} {may('review') ? null : <WhoCanActNote textKey="review.whoCan" />}
      </AlertNotice>
    ) : null,
  ].filter((one) => one !== null);
}
