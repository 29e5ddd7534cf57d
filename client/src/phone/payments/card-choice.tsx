/** Where a gift card comes from: one that the study has stored, shown or texted, or another one. */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useStudy } from '../../session/records.ts';
import type { HandedOver } from '../../wire.ts';

/** How a payment is made, with a card that the study has stored or without one. */
export interface Handed extends HandedOver {
  card?: true;
  deliver?: 'SMS';
}

const WAYS = ['show', 'text', 'other'] as const;
type Way = (typeof WAYS)[number];

const wayOf = ({ card, deliver }: Handed): Way => (!card ? 'other' : deliver ? 'text' : 'show');

function withWay({ method, reference }: Handed, way: Way): Handed {
  if (way === 'other') return { method, ...(reference ? { reference } : {}) };
  return way === 'text' ? { method, card: true, deliver: 'SMS' } : { method, card: true };
}

interface CardChoiceProps {
  value: Handed;
  /** Of many payments nobody would see which card is whose. */
  isBulk?: boolean;
  onChange(value: Handed): void;
}

/** The ways that the study offers; none where it has stored no cards. */
function useWays(isBulk: boolean): Way[] {
  const study = useStudy();
  if (!study?.giftCards) return [];
  const isTexting = study.contacts === 'SMS' && study.messages.card.on;
  return WAYS.filter((way) => (way === 'show' ? !isBulk : way === 'text' ? isTexting : true));
}

/** What a choice of method means: a gift card is one of the study's unless somebody says otherwise. */
export function useWithCard(isBulk = false): (next: HandedOver | null, before: Handed) => Handed {
  const [first = 'other'] = useWays(isBulk);
  return (next, before) => {
    const { method, reference } = next ?? { method: 'CASH' as const };
    const typed = { method, ...(reference ? { reference } : {}) };
    if (method !== 'GIFT_CARD') return typed;
    return withWay(typed, before.method === 'GIFT_CARD' ? wayOf(before) : first);
  };
}

export function CardChoice({ value, isBulk = false, onChange }: CardChoiceProps) {
  const { t } = useTranslation('paying');
  const name = useId();
  const ways = useWays(isBulk);
  if (value.method !== 'GIFT_CARD' || ways.length < 2) return null;
  return (
    <fieldset className="methods">
      <legend>{t('stock.which')}</legend>
      {ways.map((way) => (
        <label key={way} className="method">
          <input
            type="radio"
            autoComplete="off"
            name={name}
            checked={wayOf(value) === way}
            onChange={() => onChange(withWay(value, way))}
          />
          {t(`stock.${way}`)}
        </label>
      ))}
    </fieldset>
  );
}
