/** The questionnaire that the service ships with, in all its languages; it stands in questionnaires/, with its reasons. */

import es from '../../questionnaires/default.es.json' with { type: 'json' };
import questionnaire from '../../questionnaires/default.json' with { type: 'json' };
import { inLanguages } from './in-languages.ts';

/** By the names that its texts have in a definition; English stands in default.json itself. */
export const LANGUAGES = { es };

export const DEFAULT_QUESTIONNAIRE = {
  ...questionnaire,
  definition: inLanguages(questionnaire.definition, LANGUAGES),
};

/** The least that a whole interview holds: consent, eligibility and the network size. */
export const MINIMAL_RESPONSES: Record<string, unknown> = {
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 12,
};
