/** The question and the answer of a population count as text, in English or another available language. */
import { loadStudy } from '../../study/settings/model.ts';
import { levelTitles, outcomeCatalogOf } from '../sample/catalog.ts';
import { sampleVersions } from '../sample/versions.ts';
import type { PopulationCountRecord } from './model.ts';

type Texts = Record<string, string>;

export interface QuestionAndAnswerText {
  question: string;
  answer: string;
}

/** `title`: the answer's label, if the sample has it. */
export async function answerWords(
  { outcome, value }: PopulationCountRecord,
  title: Texts | null,
): Promise<QuestionAndAnswerText> {
  const settings = await loadStudy();
  const versions = await sampleVersions({ approved: settings.approvedFormulas });
  const spec = outcomeCatalogOf(versions, settings).find(({ name }) => name === outcome);
  const offered = spec && levelTitles(spec, versions.included).get(value);
  return {
    question: inEnglish(spec?.question.title) ?? outcome,
    answer: inEnglish(title ?? offered) ?? value,
  };
}

const inEnglish = (texts: Texts | undefined): string | undefined =>
  texts && (texts.en || texts.default || Object.values(texts).find(Boolean));
