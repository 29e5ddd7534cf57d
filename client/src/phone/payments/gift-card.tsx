/** A gift card, for the person to write down or scan. It is never stored on the device. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../../session/api.ts';
import { formatDay } from '../../texts/i18n.ts';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import type { Incentive, PaidIncentive } from '../../wire.ts';
import { FactLines } from './day-totals.tsx';

export type GiftCard = NonNullable<PaidIncentive['card']>;

const groupDigits = (number: string) => number.replace(/(\d{4})(?=\d)/g, '$1 ');

export function GiftCardDetails({ card }: { card: GiftCard }) {
  const { t, i18n } = useTranslation('paying');
  const { number, pin, link, expiresOn } = card;
  const mono = (text: string) => (
    <bdi dir="ltr" className="card-number">
      {text}
    </bdi>
  );
  return (
    <Card heading={t('stock.card')}>
      <div className="card-facts">
        <FactLines
          facts={[
            number === null ? null : [t('stock.number'), mono(groupDigits(number))],
            pin === null ? null : [t('stock.pin'), mono(pin)],
            expiresOn === null ? null : [t('stock.expires'), formatDay(expiresOn, i18n.language)],
          ]}
        />
      </div>
      {link === null ? null : (
        <div className="card-link">
          <QrCode text={link} label={t('stock.qr')} />
          <a href={link} dir="ltr" target="_blank" rel="noreferrer noopener">
            {link}
          </a>
        </div>
      )}
      <Text mt="sm">{t('stock.keep')}</Text>
    </Card>
  );
}

/**
 * Whether it was paid with a card from the study's stock: its reference only has the last characters of the number.
 */
export const isPaidWithStockCard = ({ state, method, reference }: Incentive): boolean =>
  state === 'PAID' && method === 'GIFT_CARD' && (reference?.startsWith('…') ?? false);

export const findCard = (payment: string): Promise<GiftCard> =>
  request<GiftCard>('GET', `/api/incentives/${payment}/card`);

/**
 * Shows the card again for a day, only to the person who paid it. The service decides this, and records every time.
 */
export function ShowCardAgainButton({ payment }: { payment: Incentive }) {
  const { t } = useTranslation('paying');
  const [card, setCard] = useState<GiftCard | null>(null);
  const { attempt, error } = useAttempt();
  if (!isPaidWithStockCard(payment)) return null;
  return (
    <div className="no-print">
      {card ? <GiftCardDetails card={card} /> : null}
      <Button
        size="sm"
        variant="default"
        onClick={() => (card ? setCard(null) : attempt(findCard(payment.id).then(setCard)))}
      >
        {t(card ? 'stock.hide' : 'stock.again')}
      </Button>
      <FormError error={error} />
    </div>
  );
}
