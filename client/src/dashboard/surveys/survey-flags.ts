/** Texts of flags, shared by the whole app. */
import { useTranslation } from 'react-i18next';
import type { Flag } from '../../wire.ts';

/** Flags that can be settled with one interview alone. The others require comparing two, or resolve automatically. */
export const SINGLE_SURVEY_FLAGS = [
  'ISSUED_CODE_REFUSED',
  'REFERRAL_CODE_UNKNOWN',
  'REFERRAL_CODE_MALFORMED',
  'REFERRAL_CODE_VOID',
  'REFERRAL_CODE_EXPIRED',
  'REFERRAL_CODE_NOT_YET',
  'CLOCK_ODD',
  'STATUS_REFUSED',
] as const satisfies Flag['code'][];

export const FLAG_CODES = [
  'REFERRAL_CODE_USED',
  'RECRUITER_PENDING',
  'SECOND_COPY',
  ...SINGLE_SURVEY_FLAGS,
  'IMPORTED',
  'NO_ROUND',
  'INCENTIVE_NOT_DUE',
  'POSSIBLE_REPEAT',
  'CONTACT_REFUSED',
] as const satisfies Flag['code'][];

export function useFlagText(): (code: Flag['code']) => string {
  const { t } = useTranslation('flags');
  return (code) => t(code);
}
