/**
 * Checks a person's details all at once before sending, because the service only reports an impossible phone number
 * after everything else is valid.
 */
import { useTranslation } from 'react-i18next';
import { RequestRefusal } from '../../session/api.ts';
import type { FieldError } from '../../wire.ts';
import type { PersonNameValues } from './name-fields.tsx';
import type { PhoneNumberFormatter } from './phone-plan.ts';

export function usePersonFaults(plan: PhoneNumberFormatter | null) {
  const { t } = useTranslation();
  const noPhone = plan?.example
    ? t('newcomer.noPhoneExample', { phone: plan.example })
    : t('newcomer.noPhone');
  const inOurWords = (fault: FieldError): FieldError => {
    const { path } = fault;
    if (path === 'phone') return { path, message: noPhone };
    return path === 'email' ? { path, message: t('newcomer.noEmail') } : fault;
  };
  return {
    /** Throws the same errors as the service would. */
    check(phone: string, names?: PersonNameValues): void {
      const faults: FieldError[] = [];
      for (const path of ['firstName', 'lastName'] as const)
        if (names && !names[path].trim()) faults.push({ path, message: t('newcomer.empty') });
      if (names?.email.trim() && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(names.email.trim()))
        faults.push({ path: 'email', message: t('newcomer.noEmail') });
      if (!phone.trim()) faults.push({ path: 'phone', message: t('newcomer.empty') });
      else if (plan && !plan.isPhone(phone)) faults.push({ path: 'phone', message: noPhone });
      if (faults.length > 0)
        throw new RequestRefusal(400, { code: 'VALIDATION_ERROR', errors: faults }, null);
    },
    /** Throws the service's errors in the app's language. */
    refused(error: unknown): never {
      if (!(error instanceof RequestRefusal) || error.errors.length === 0) throw error;
      const { status, code, errors, retryAfter } = error;
      throw new RequestRefusal(
        status,
        { ...(code ? { code } : {}), errors: errors.map(inOurWords) },
        retryAfter,
      );
    },
    labels: {
      firstName: t('names.first'),
      lastName: t('names.last'),
      email: t('newcomer.email'),
      phone: t('signIn.phone'),
      location: t('signUp.site'),
    },
  };
}
