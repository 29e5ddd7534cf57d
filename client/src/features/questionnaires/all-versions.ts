/** All versions of all questionnaires, to choose from. */
import { useAllPages } from '../../desk/use-whole-list.ts';
import type { Questionnaire } from '../../wire.ts';

/** Each is large. */
const MOST = 500;

export const useAllVersions = ({ open = true } = {}) =>
  useAllPages<Questionnaire>('/api/questionnaires', { most: MOST, open });
