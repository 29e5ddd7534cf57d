/** A short included questionnaire, in all languages: only what respondent-driven sampling needs. */
import ar from '../../../questionnaires/short.ar.json' with { type: 'json' };
import es from '../../../questionnaires/short.es.json' with { type: 'json' };
import questionnaire from '../../../questionnaires/short.json' with { type: 'json' };
import ru from '../../../questionnaires/short.ru.json' with { type: 'json' };
import vi from '../../../questionnaires/short.vi.json' with { type: 'json' };
import zh from '../../../questionnaires/short.zh.json' with { type: 'json' };
import { withTranslations } from './merge-translations.ts';

export const SHORT_QUESTIONNAIRE = {
  ...questionnaire,
  definition: withTranslations(questionnaire.definition, { es, ar, ru, vi, zh }),
};
