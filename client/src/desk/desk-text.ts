/** `t` has the dashboard's words, which come with its first page; `app` those of the whole app (roles, fields, problems). */
import { useTranslation } from 'react-i18next';

export function useDeskText() {
  const { t, i18n } = useTranslation('desk');
  const { t: app } = useTranslation();
  return { t, app, language: i18n.language };
}
