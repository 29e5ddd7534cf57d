/** All versions of all questionnaires, for selecting one. */
import type { Questionnaire } from '../../wire.ts';
import { useAllPages } from '../kit/data/use-all-pages.ts';

/** Versions are large. */
const MAX_VERSIONS = 500;

export const useAllVersions = ({ enabled = true } = {}) =>
  useAllPages<Questionnaire>('/api/questionnaires', { maxRows: MAX_VERSIONS, enabled });
