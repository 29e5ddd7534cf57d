/** A link to the receipt. It is created from data on the page, since receipts have no URL at the service. */
import { Button, type ButtonProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import type { Incentive } from '../../wire.ts';

export interface ReceiptState {
  payments: Pick<Incentive, 'id' | 'kind' | 'amount' | 'currency' | 'method' | 'reference' | 'paidAt'>[];
  claim: string | null;
  /** The name of who paid. */
  payer: string;
  from: string;
}

interface ReceiptLinkProps extends Omit<ReceiptState, 'from'>, ButtonProps {
  /** Which one, for screen readers. */
  about?: string | undefined;
}

export function ReceiptLink({ payments, claim, payer, about, ...look }: ReceiptLinkProps) {
  const { t } = useTranslation('paying');
  const { pathname, search } = useLocation();
  // The browser stores it with its history, where no gift card belongs.
  const shown = payments.map(({ id, kind, amount, currency, method, reference, paidAt }) => ({
    ...{ id, kind, amount, currency, method, reference, paidAt },
  }));
  const state: ReceiptState = { payments: shown, claim, payer, from: pathname + search };
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
