/** The included questionnaire (see questionnaires/), in all its languages. */

import ar from '../../../questionnaires/default.ar.json' with { type: 'json' };
import es from '../../../questionnaires/default.es.json' with { type: 'json' };
import questionnaire from '../../../questionnaires/default.json' with { type: 'json' };
import ru from '../../../questionnaires/default.ru.json' with { type: 'json' };
import vi from '../../../questionnaires/default.vi.json' with { type: 'json' };
import zh from '../../../questionnaires/default.zh.json' with { type: 'json' };
import { withTranslations } from './merge-translations.ts';

/** By language tag; English is in default.json itself. */
export const DEFAULT_FORM_TRANSLATIONS = { es, ar, ru, vi, zh };

export const DEFAULT_QUESTIONNAIRE = {
  ...questionnaire,
  definition: withTranslations(questionnaire.definition, DEFAULT_FORM_TRANSLATIONS),
};

/** The smallest complete interview: consent, eligibility and the network size. */
export const MINIMAL_RESPONSES: Record<string, unknown> = {
  consent: 'yes',
  isAdult: 'yes',
  sleptOutside: 'yes',
  interviewedBefore: 'no',
  networkSize: 12,
};
