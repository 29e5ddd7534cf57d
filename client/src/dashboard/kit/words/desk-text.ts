/** The dashboard's texts and number formats in the user's language. */
import { useTranslation } from 'react-i18next';
import { localeTagOf, momentOf, numberOf, oncePerLanguage } from '../../../texts/i18n.ts';
import { shortMomentOf } from './moment.ts';
import { relativeTime } from './relative-time.ts';
import type { VALUE_LABELS } from './value-labels.ts';

/** Ways to write what is no word. `counted`: for a text that depends on a number and shows it. */
export const formattersIn = oncePerLanguage((language) => {
  const percents = new Intl.NumberFormat(localeTagOf(language), { style: 'percent' });
  const number = (value: number) => numberOf(value, language);
  return {
    language,
    number,
    percent: (share: number) => percents.format(share),
    counted: (count: number) => ({ count, shown: number(count) }),
    moment: (at: string) => momentOf(at, language),
    /** Without the year where it is this one. */
    shortMoment: (at: string) => shortMomentOf(at, language),
    age: (at: string) => relativeTime(at, language),
  };
});

/** `t` has the dashboard's words, which come with its first page; `app` those of the whole app (roles, fields, problems). */
export function useDeskText() {
  const { t, i18n } = useTranslation('desk');
  const { t: app } = useTranslation();
  return { t, app, ...formattersIn(i18n.language) };
}

/** What each value of a field is called, in the order of the texts. */
export type ValueLabelSet = (typeof VALUE_LABELS)[number] | 'audit.action' | 'audit.subject' | 'role';

export function useValueLabels(): (of: ValueLabelSet) => Record<string, string> {
  const { t, app } = useDeskText();
  return (of) =>
    (of === 'role' ? app(of, { returnObjects: true }) : t(of, { returnObjects: true })) as Record<
      string,
      string
    >;
}
