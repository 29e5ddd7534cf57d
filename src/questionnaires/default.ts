/** The questionnaire that the service ships with, in all its languages; it stands in questionnaires/, with its reasons. */

import ar from '../../questionnaires/default.ar.json' with { type: 'json' };
import es from '../../questionnaires/default.es.json' with { type: 'json' };
import questionnaire from '../../questionnaires/default.json' with { type: 'json' };
import ru from '../../questionnaires/default.ru.json' with { type: 'json' };
import vi from '../../questionnaires/default.vi.json' with { type: 'json' };
import zh from '../../questionnaires/default.zh.json' with { type: 'json' };
import { inLanguages } from './in-languages.ts';

/** By the names that its texts have in a definition; English stands in default.json itself. */
export const LANGUAGES = { es, ar, ru, vi, zh };

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
