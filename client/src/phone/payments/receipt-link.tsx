/** A link to the receipt, which is created from data on the page, because the service has no URL for receipts. */
import { Button, type ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { Incentive } from '../../wire.ts';

export interface ReceiptContent {
  payments: Pick<Incentive, 'id' | 'kind' | 'amount' | 'currency' | 'method' | 'reference' | 'paidAt'>[];
  claim: string | null;
  /** Name of the person who paid. */
  payer: string;
  from: string;
}

interface ReceiptLinkProps extends Omit<ReceiptContent, 'from'>, ButtonProps {
  /** Names the payment, for screen readers. */
  about?: string | undefined;
}

export function ReceiptLink({ payments, claim, payer, about, ...look }: ReceiptLinkProps) {
  const { t } = useTranslation('paying');
  const { pathname, search } = useLocation();
  // Leaves out gift cards, because the browser stores this state with its history.
  const receiptPayments = payments.map(({ id, kind, amount, currency, method, reference, paidAt }) => ({
    ...{ id, kind, amount, currency, method, reference, paidAt },
  }));
  const state: ReceiptContent = { payments: receiptPayments, claim, payer, from: pathname + search };
  return (
    <Button
      component={Link}
      to="/pay/receipt"
      state={state}
      variant="default"
      {...(about ? { 'aria-label': `${t('receipt.open')}: ${about}` } : {})}
      {...look}
    >
      {t('receipt.open')}
    </Button>
  );
}
