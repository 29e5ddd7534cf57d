/** `t` has the texts of the results, `desk` those shared by the dashboard, `app` those of the whole app. */
import { useTranslation } from 'react-i18next';
import { formattersIn } from '../kit/words/desk-text.ts';

export function useResultsText() {
  const { t, i18n } = useTranslation('results');
  const { t: desk } = useTranslation('desk');
  const { t: app } = useTranslation();
  return { t, desk, app, ...formattersIn(i18n.language) };
}
