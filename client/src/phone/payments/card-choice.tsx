/** The source of a gift card: one from the study's stock, shown or texted, or another one. */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useStudy } from '../../session/records.ts';
import type { IncentiveHandedOver } from '../../wire.ts';

/** How a payment is made, with or without a card from the study's stock. */
export interface PaymentMethod extends IncentiveHandedOver {
  card?: true;
  deliver?: 'SMS';
}

const CARD_SOURCES = ['show', 'text', 'other'] as const;
type CardSource = (typeof CARD_SOURCES)[number];

const sourceOf = ({ card, deliver }: PaymentMethod): CardSource =>
  !card ? 'other' : deliver ? 'text' : 'show';

function withSource({ method, reference }: PaymentMethod, source: CardSource): PaymentMethod {
  if (source === 'other') return { method, ...(reference ? { reference } : {}) };
  return source === 'text' ? { method, card: true, deliver: 'SMS' } : { method, card: true };
}

interface CardChoiceProps {
  value: PaymentMethod;
  /** With many payments at once, nobody could tell whose card is whose. */
  isBulk?: boolean;
  onChange(value: PaymentMethod): void;
}

/** The sources the study offers; empty if it has no cards in stock. */
function useCardSources(isBulk: boolean): CardSource[] {
  const study = useStudy();
  if (!study?.giftCards) return [];
  const isTexting = study.contacts === 'SMS' && study.messages.card.on;
  return CARD_SOURCES.filter((source) =>
    source === 'show' ? !isBulk : source === 'text' ? isTexting : true,
  );
}

/** The details of a payment method: a gift card comes from the study's stock unless another source is chosen. */
export function useFillCardSource(
  isBulk = false,
): (next: IncentiveHandedOver | null, before: PaymentMethod) => PaymentMethod {
  const [first = 'other'] = useCardSources(isBulk);
  return (next, before) => {
    const { method, reference } = next ?? { method: 'CASH' as const };
    const typed = { method, ...(reference ? { reference } : {}) };
    if (method !== 'GIFT_CARD') return typed;
    return withSource(typed, before.method === 'GIFT_CARD' ? sourceOf(before) : first);
  };
}

export function GiftCardSourceSelect({ value, isBulk = false, onChange }: CardChoiceProps) {
  const { t } = useTranslation('paying');
  const name = useId();
  const sources = useCardSources(isBulk);
  if (value.method !== 'GIFT_CARD' || sources.length < 2) return null;
  return (
    <fieldset className="methods">
      <legend>{t('stock.which')}</legend>
      {sources.map((source) => (
        <label key={source} className="method">
          <input
            type="radio"
            autoComplete="off"
            name={name}
            checked={sourceOf(value) === source}
            onChange={() => onChange(withSource(value, source))}
          />
          {t(`stock.${source}`)}
        </label>
      ))}
    </fieldset>
  );
}
