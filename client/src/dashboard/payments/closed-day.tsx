/** A closed day: what was counted, what was paid since, and reopening it. */
import { Text } from '@mantine/core';
import { formatAmountLike } from '../../phone/payments/cash-box.ts';
import { FactLines } from '../../phone/payments/day-totals.tsx';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sendChange } from '../kit/actions/send.ts';
import type { CashDay } from '../kit/data/dashboard-wire.ts';
import { refreshAndThrow } from '../kit/data/use-list.tsx';
import { RowActions } from '../kit/list/list-actions.tsx';
import { usePersonName } from '../people/person-names.ts';
import { usePaymentsText } from './payments-text.ts';

/** How much more or less was paid by now. Both amounts have the same currency. */
const paidSinceClosing = ({ paid, paidNow }: CashDay) =>
  formatAmountLike(paid, Number(paidNow) - Number(paid));

export function useReopenCashDayAction() {
  const { t } = usePaymentsText();
  return ({ id }: CashDay) => ({
    label: t('reopen'),
    right: 'update',
    title: t('days.reopenTitle'),
    text: t('days.reopenWhat'),
    reason: t('reasonWhat'),
    send: (reason: string) =>
      sendChange('POST', `/api/cash-days/${id}/reopen`, { reason }).catch(refreshAndThrow),
    message: t('days.reopened'),
  });
}

export function ClosedCashDay({ closed }: { closed: CashDay }) {
  const { t, shared, money, moment } = usePaymentsText();
  const nameOf = usePersonName();
  const ability = useAbility();
  const reopening = useReopenCashDayAction();
  const { currency, opening, paid, counted, difference, paidNow } = closed;
  const text = (amount: string) => money({ amount, currency });
  const remaining = formatAmountLike(paid, Number(opening) - Number(paid));
  return (
    <>
      <FactLines
        facts={[
          [shared('audit.field.opening'), text(opening)],
          [shared('audit.field.paid'), text(paid)],
          [t('count.left'), text(remaining)],
          [shared('audit.field.counted'), text(counted)],
          [shared('audit.field.difference'), <b key="sum">{text(difference)}</b>],
        ]}
      />
      <Text mb="sm">{t('count.by', { name: nameOf(closed.closedBy), time: moment(closed.closedAt) })}</Text>
      {paidNow === paid ? null : (
        <Notice tone="warn" title={t('count.since', { amount: text(paidSinceClosing(closed)) })}>
          {t('count.sinceWhat', { amount: text(paidNow) })}
        </Notice>
      )}
      {ability.can('update', asPermissionSubject('CashDay', closed)) ? (
        <div className="no-print cash-reopen">
          <RowActions actions={[reopening(closed)]} record={t('count.title')} />
        </div>
      ) : null}
    </>
  );
}

/** This day's counts that were reopened. */
export function ReopenedCashCounts({ counts }: { counts: CashDay[] }) {
  const { t, money, moment } = usePaymentsText();
  const nameOf = usePersonName();
  if (counts.length === 0) return null;
  return (
    <section aria-label={t('count.earlier')}>
      <h3>{t('count.earlier')}</h3>
      <ul className="pay-list">
        {counts.map(({ id, counted, currency, closedBy, closedAt, reopenedBy, reopenedAt, reason }) => (
          <li key={id}>
            <span>
              {t('count.by', { name: nameOf(closedBy), time: moment(closedAt) })}{' '}
              {t('count.reopenedBy', {
                name: nameOf(reopenedBy),
                time: reopenedAt ? moment(reopenedAt) : '',
              })}{' '}
              <bdi>{reason}</bdi>
            </span>
            <b>{money({ amount: counted, currency })}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
