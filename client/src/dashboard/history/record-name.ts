/** Names a record in a sentence: a person by name, an interview by coupon and site, never by id. */
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { useLocations } from '../../session/records.ts';
import { fullDayOf } from '../../texts/i18n.ts';
import type { AuditEvent } from '../kit/data/dashboard-wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export type RecordNames = AuditEvent['names'];

/** Empty if this person may not know the name. */
export function useRecordName(): (names: RecordNames, id: string) => string {
  const { t, language } = useDashboardText();
  const sites = useLocations();
  const nameOf = (names: RecordNames, id: string): string => {
    const entry = names[id];
    const site = sites.find((one) => one.id === id);
    if (!entry) return site?.name ?? '';
    const { subject, name, code, location, deleted, interview } = entry;
    const what = [
      subject === 'CashDay' && name ? fullDayOf(name, language) : name,
      code ? formatCode(code) : subject === 'Survey' ? t('surveys.walkIn') : null,
    ];
    if (['Survey', 'CodeBatch', 'Seed', 'CashDay'].includes(subject))
      what.push(sites.find((one) => one.id === location)?.name ?? names[location ?? '']?.name ?? null);
    // An incentive by its amount and interview, or its site if the interview can't be named.
    else if (subject === 'Incentive')
      what.push((interview && nameOf(names, interview)) || nameOf(names, location ?? ''));
    const text = what.filter(Boolean).join(t('common.comma'));
    return text && deleted ? t('audit.deletedName', { name: text }) : text;
  };
  return nameOf;
}
