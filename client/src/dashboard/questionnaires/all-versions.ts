/** All versions of all questionnaires, for selecting one. */
import type { Questionnaire } from '../../wire.ts';
import { useAllPages } from '../kit/data/use-whole-list.ts';

/** Versions are large. */
const MAX_VERSIONS = 500;

export const useAllVersions = ({ open = true } = {}) =>
  useAllPages<Questionnaire>('/api/questionnaires', { most: MAX_VERSIONS, open });
