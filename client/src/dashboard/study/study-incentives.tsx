/** What people are paid. Amounts only appear once there is a currency, because nothing is paid without one. */
import { useContext, useMemo } from 'react';
import {
  currencyDecimals,
  IncentiveSettings,
  NO_INCENTIVES,
} from '../../../../src/study/settings/incentives.ts';
import { RequestRefusal } from '../../session/api.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { localeTagOf } from '../../texts/i18n.ts';
import { Card } from '../../ui/page.tsx';
import { FormErrorContext, FormFields, type FormState } from '../kit/actions/fields.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import type { StudySettings } from './setting-labels.ts';

type Incentives = StudySettings['incentives'];

/** Adds missing decimals: 20 becomes 20.00. */
function withDecimals(text: string | null, currency: string): string | null {
  const decimals = currencyDecimals(currency);
  const amount = text?.trim().replace(',', '.') ?? '';
  const match = /^\d+(?:\.(\d*))?$/.exec(amount);
  if (!match || (match[1] ?? '').length > decimals) return text;
  return Number(amount).toFixed(decimals);
}

export function padIncentiveDecimals(incentives: Incentives): Incentives {
  const { currency, interview, recruit } = incentives;
  if (currency === null) return incentives;
  return {
    ...incentives,
    interview: withDecimals(interview, currency),
    recruit: withDecimals(recruit, currency),
  };
}

export function IncentiveSettingsCard({ value: { incentives }, set, mayChange }: FormState<StudySettings>) {
  const { t, language } = useDashboardText();
  const currencies = useMemo(() => currenciesIn(language), [language]);
  const { currency } = incentives;
  const fixed = useCurrencyFault();
  const words = (name: string) => {
    const key = name as keyof Incentives;
    return { label: t(`study.incentive.${key}`), description: t(`study.incentive.${key}What`) };
  };
  const amount = { decimals: currency === null ? 2 : currencyDecimals(currency) };
  return (
    <Card heading={t('study.fields.incentives')}>
      <p className="note">{t('study.incentive.what')}</p>
      <FormFields<Incentives>
        form={{
          value: incentives,
          set: (change) => set({ incentives: { ...incentives, ...change } }),
          mayChange: () => mayChange?.('incentives') ?? true,
        }}
        schema={IncentiveSettings}
        words={words}
        size="md"
        rows={[
          {
            name: 'currency',
            path: 'incentives.currency',
            as: 'choice',
            fault: fixed,
            options: [{ value: '', label: t('study.incentive.none') }, ...currencies],
            besides: (chosen) => (chosen === null ? NO_INCENTIVES : {}),
          },
          currency !== null && {
            name: 'interview',
            path: 'incentives.interview',
            as: 'number',
            attributes: amount,
          },
          currency !== null && {
            name: 'recruit',
            path: 'incentives.recruit',
            as: 'number',
            attributes: amount,
          },
          currency !== null && { name: 'recruitLimit', path: 'incentives.recruitLimit' },
        ]}
      />
    </Card>
  );
}

/** This error is about the whole request, because it depends on stored data. */
function useCurrencyFault(): string | undefined {
  const problem = useProblemText();
  const refusal = useContext(FormErrorContext);
  return refusal instanceof RequestRefusal && refusal.reason === 'CURRENCY_IN_USE'
    ? problem(refusal)
    : undefined;
}

function currenciesIn(language: string) {
  const names = new Intl.DisplayNames(localeTagOf(language), { type: 'currency' });
  return Intl.supportedValuesOf('currency').map((code) => ({
    value: code,
    label: `${code} – ${names.of(code) ?? code}`,
  }));
}
