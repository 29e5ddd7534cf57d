/** `t` has the texts of the results, `shared` those shared by the dashboard, `app` those of the whole app. */
import { useTranslation } from 'react-i18next';
import { formattersIn } from '../kit/words/dashboard-text.ts';

export function useResultsPageText() {
  const { t, i18n } = useTranslation('results');
  const { t: shared } = useTranslation('dashboard');
  const { t: app } = useTranslation();
  return { t, shared, app, ...formattersIn(i18n.language) };
}
