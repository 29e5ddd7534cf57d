/** What one person is owed. Individual incentives can be left out. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStudy } from '../../session/records.ts';
import { moneyText } from '../../texts/money.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { IncentiveClaim } from '../../wire.ts';

interface ClaimCardProps {
  claim: IncentiveClaim;
  due: IncentiveClaim['due'];
  /** Something was just paid. */
  isPaid: boolean;
  chosen: IncentiveClaim['due'];
  onChoose(id: string, isChosen: boolean): void;
}

export function IncentiveClaimCard({ claim, due, isPaid, chosen, onChoose }: ClaimCardProps) {
  const { t, i18n } = useTranslation('paying');
  const { paidCount, paidTotal } = claim;
  // The currency can't change once something was paid.
  const currency = useStudy()?.incentives?.currency;
  const before =
    paidCount > 0 ? (
      <Text c="dimmed" size="sm">
        {t('person.before', {
          count: paidCount,
          total: currency && paidTotal ? moneyText(paidTotal, currency, i18n.language) : (paidTotal ?? ''),
        })}
      </Text>
    ) : null;
  if (due.length === 0)
    return isPaid ? null : (
      <Notice tone="info" live title={t('person.nothing')}>
        {before}
      </Notice>
    );
  return (
    <Card heading={t('person.due')}>
      <ul className="due">
        {due.map(({ id, kind, amount, currency: of }) => (
          <li key={id}>
            <label className="method">
              <input
                type="checkbox"
                checked={chosen.some((one) => one.id === id)}
                onChange={({ currentTarget: { checked } }) => onChoose(id, checked)}
              />
              <span className="due-kind">{t(`kind.${kind}`)}</span>
              <span>{moneyText(amount, of, i18n.language)}</span>
            </label>
          </li>
        ))}
      </ul>
      {before}
    </Card>
  );
}
