/** A short questionnaire to begin from, in all languages of the one that ships: what respondent-driven sampling needs, and no more. */
import ar from '../../questionnaires/short.ar.json' with { type: 'json' };
import es from '../../questionnaires/short.es.json' with { type: 'json' };
import questionnaire from '../../questionnaires/short.json' with { type: 'json' };
import ru from '../../questionnaires/short.ru.json' with { type: 'json' };
import vi from '../../questionnaires/short.vi.json' with { type: 'json' };
import zh from '../../questionnaires/short.zh.json' with { type: 'json' };
import { inLanguages } from './in-languages.ts';

export const SHORT_QUESTIONNAIRE = {
  ...questionnaire,
  definition: inLanguages(questionnaire.definition, { es, ar, ru, vi, zh }),
};
