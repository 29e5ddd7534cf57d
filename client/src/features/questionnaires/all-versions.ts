/** All versions of all questionnaires, to choose one from. */
import { useAllPages } from '../../desk/all-pages.ts';
import type { Questionnaire } from '../../wire.ts';

/** The service gives as many on a page as two megabytes hold. */
const MOST_PAGES = 20;

export const useAllVersions = ({ open = true } = {}) =>
  useAllPages<Questionnaire>('/api/questionnaires', { mostPages: MOST_PAGES, open });
