/** `t` has the words of the results, `desk` those that all pages of the dashboard share, `app` those of the whole app. */
import { useTranslation } from 'react-i18next';

export function useResultsText() {
  const { t, i18n } = useTranslation('results');
  const { t: desk } = useTranslation('desk');
  const { t: app } = useTranslation();
  return { t, desk, app, language: i18n.language };
}
