/** The dashboard's texts and number formats in the user's language. */
import { useTranslation } from 'react-i18next';
import { formatDateTime, localeTagOf, numberInLanguage, oncePerLanguage } from '../../../texts/i18n.ts';
import { shortMomentOf } from './moment.ts';
import { relativeTime } from './relative-time.ts';
import type { VALUE_LABEL_KEYS } from './value-labels.ts';

/** Formatters for numbers and times. `counted` fills the parameters of a pluralized text that shows its number. */
export const formattersIn = oncePerLanguage((language) => {
  const percents = new Intl.NumberFormat(localeTagOf(language), { style: 'percent' });
  const number = (value: number) => numberInLanguage(value, language);
  return {
    language,
    number,
    percent: (share: number) => percents.format(share),
    counted: (count: number) => ({ count, shown: number(count) }),
    moment: (at: string) => formatDateTime(at, language),
    /** Without the year if it is the current year. */
    shortMoment: (at: string) => shortMomentOf(at, language),
    age: (at: string) => relativeTime(at, language),
  };
});

/**
 * `t` has the dashboard's texts, which load with its first page; `app` has the shared texts (roles, fields,
 * problems).
 */
export function useDashboardText() {
  const { t, i18n } = useTranslation('dashboard');
  const { t: app } = useTranslation();
  return { t, app, ...formattersIn(i18n.language) };
}

/** Labels of a field's values, in the order of the text file. */
export type ValueLabelKey = (typeof VALUE_LABEL_KEYS)[number] | 'audit.action' | 'audit.subject' | 'role';

export function useValueLabels(): (of: ValueLabelKey) => Record<string, string> {
  const { t, app } = useDashboardText();
  return (of) =>
    (of === 'role' ? app(of, { returnObjects: true }) : t(of, { returnObjects: true })) as Record<
      string,
      string
    >;
}
