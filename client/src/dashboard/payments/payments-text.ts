/** `t` has the texts of payments, `shared` those shared by the dashboard. */
import { useTranslation } from 'react-i18next';
import { moneyText } from '../../texts/money.ts';
import type { Tone } from '../../ui/notice.tsx';
import type { Incentive } from '../../wire.ts';
import { formattersIn } from '../kit/words/dashboard-text.ts';

export const STATE_TONES: Record<Incentive['state'], Tone> = { DUE: 'warn', PAID: 'good', WITHDRAWN: 'info' };

export function usePaymentsText() {
  const { t, i18n } = useTranslation('payments');
  const { t: shared } = useTranslation('dashboard');
  const words = shared('audit.value', { returnObjects: true }) as unknown as Record<string, string>;
  return {
    t,
    shared,
    ...formattersIn(i18n.language),
    /** Label of a state, kind, or method. */
    word: (value: string | null) => (value === null ? '–' : (words[value] ?? value)),
    money: ({ amount, currency }: Pick<Incentive, 'amount' | 'currency'>) =>
      moneyText(amount, currency, i18n.language),
  };
}
