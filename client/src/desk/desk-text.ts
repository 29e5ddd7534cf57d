/** The dashboard's words come with its first page: a volunteer's phone does not load them. */
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { deskEn } from '../locales/desk.en.ts';
import { deskEs } from '../locales/desk.es.ts';
import { deskBEn } from '../locales/desk-b.en.ts';
import { deskBEs } from '../locales/desk-b.es.ts';

const en = { ...deskEn, ...deskBEn };
const es: typeof en = { ...deskEs, ...deskBEs };
export type DeskTexts = typeof en;

i18next.addResourceBundle('en', 'desk', en);
i18next.addResourceBundle('es', 'desk', es);

/** `t` has the dashboard's words, `app` those of the whole app (roles, fields, problems). */
export function useDeskText() {
  const { t, i18n } = useTranslation('desk');
  const { t: app } = useTranslation();
  return { t, app, language: i18n.language };
}
