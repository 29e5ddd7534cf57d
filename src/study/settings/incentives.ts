/** The study's incentives, and which of its settings apply to an interview. Browser-safe. */
import { z } from 'zod';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { decimalsOf } from '../../platform/lib/decimals.ts';

const MAX_AMOUNT = 10_000;
const PLAIN_NUMBER = /^(?:0|[1-9]\d{0,4})(?:\.\d{1,4})?$/;

const isCurrency = (code: string) => Intl.supportedValuesOf('currency').includes(code);

/** ISO 4217 currencies that don't have 2 decimals. `Intl` has customary decimals instead, such as none for IQD. */
const DECIMALS = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] as const;

/** The currency's number of decimals: 2 for USD, 0 for JPY. */
export const currencyDecimals = (currency: string): number =>
  DECIMALS.find(([, codes]) => codes.split(' ').includes(currency))?.[0] ?? 2;

function isAmountIn(currency: string, amount: string): boolean {
  const value = Number(amount);
  const hasDecimals = decimalsOf(amount) === currencyDecimals(currency);
  return PLAIN_NUMBER.test(amount) && hasDecimals && value > 0 && value <= MAX_AMOUNT;
}

/** An amount with exactly its currency's decimals. */
export const Amount = z.string().meta({ example: '20.00' });

export const IncentiveSettings = z
  .strictObject({
    currency: z
      .string()
      .refine(isCurrency, FAULTS.NOT_CURRENCY)
      .nullable()
      .default(null)
      .meta({ description: 'ISO 4217. Fixed once an incentive is stored.', example: 'USD' }),
    interview: Amount.nullable()
      .default(null)
      .meta({ description: 'For a completed interview of an eligible person; null means nothing.' }),
    recruit: Amount.nullable()
      .default(null)
      .meta({ description: 'For each eligible recruit; null means nothing.', example: '10.00' }),
    recruitLimit: z
      .int()
      .min(0)
      .max(10)
      .nullable()
      .default(null)
      .meta({ description: 'The number of recruits a person is paid for; null means all.', example: 3 }),
  })
  .superRefine((settings, context) => {
    const { currency } = settings;
    for (const field of ['interview', 'recruit'] as const) {
      const amount = settings[field];
      if (amount === null) continue;
      const path = [field];
      if (currency === null) context.addIssue({ code: 'custom', path, message: FAULTS.NO_CURRENCY });
      else if (isCurrency(currency) && !isAmountIn(currency, amount))
        context.addIssue({ code: 'custom', path, message: FAULTS.NOT_AMOUNT });
    }
  })
  .meta({ id: 'IncentiveSettings' });
export type IncentiveSettings = z.infer<typeof IncentiveSettings>;

export const NO_INCENTIVES: IncentiveSettings = {
  currency: null,
  interview: null,
  recruit: null,
  recruitLimit: null,
};

export interface StudyIncentiveSettings {
  incentives: IncentiveSettings;
  /** Former settings, oldest first, each with the time when it was replaced. */
  earlierIncentives: { until: Date; settings: IncentiveSettings }[];
  /** The currency of all stored incentives; null if there are none. */
  incentiveCurrency: string | null;
}

/** The current and all former settings. */
const everySettings = ({ incentives, earlierIncentives }: StudyIncentiveSettings): IncentiveSettings[] => [
  incentives,
  ...earlierIncentives.map(({ settings }) => settings),
];

/** Whether the study pays incentives, or ever did. */
export const hasIncentives = (study: StudyIncentiveSettings): boolean =>
  study.incentiveCurrency !== null ||
  everySettings(study).some(({ interview, recruit }) => interview !== null || recruit !== null);

/** Whether the number of paid recruits per person is limited, or ever was. */
export const hasRecruitLimit = (study: StudyIncentiveSettings): boolean =>
  everySettings(study).some(({ recruitLimit }) => recruitLimit !== null);

/** The settings in force at that time. If their currency isn't the study's, there are no incentives. */
export function incentiveSettingsAt(study: StudyIncentiveSettings, at: Date): IncentiveSettings {
  const { incentives, earlierIncentives, incentiveCurrency } = study;
  const settings = earlierIncentives.find(({ until }) => at < until)?.settings ?? incentives;
  const currency = incentiveCurrency ?? incentives.currency ?? settings.currency;
  return settings.currency === currency ? settings : NO_INCENTIVES;
}

/** The currency of stored and future incentives. */
export const incentiveCurrency = (study: StudyIncentiveSettings): string | null =>
  study.incentiveCurrency ?? study.incentives.currency;
