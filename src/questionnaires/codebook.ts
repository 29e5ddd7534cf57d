/**
 * What each question means for statistics: whether and how it is counted, its codes and labels, its columns in a file.
 * The form library needs a while for this, so it is calculated once for each version and stored with it.
 */
import { withNoNetworkSizeReason } from './answers/nonresponse.ts';
import type { AnswerShapes } from './codebook/answer-shape.ts';
import { questionKeysByPage } from './codebook/asked-of-all.ts';
import type { CountableQuestion, TextByLanguage } from './codebook/countable.ts';
import { namesRead, UnusableExpression } from './definition/eligibility.ts';
import { codebookParts } from './validator/validator.ts';

/** Without identity questions, whose answers are not stored. */
export interface Codebook extends AnswerShapes {
  /** In question order. */
  countables: CountableQuestion[];
  /** The keys of all questions that every eligible person is asked. */
  asked: string[];
  /** The keys in `asked` that are about the person, not about how they were recruited. */
  ofAll: string[];
  /** The keys of the questions that decide eligibility, in lower case. */
  deciding: string[];
  /** The text of the network size question. */
  sizeQuestion: TextByLanguage | null;
}

/** The question about the relation to the recruiter, in questionnaires that have it. */
export const RELATION_QUESTION = 'recruiterRelation';

interface Source {
  definition: object;
  networkSizeQuestion: string;
  takesPartIf?: string | null | undefined;
  identityQuestions?: string[] | null | undefined;
}

export async function makeCodebook(questionnaire: Source, by?: string): Promise<Codebook> {
  const { definition, networkSizeQuestion, takesPartIf, identityQuestions } =
    withNoNetworkSizeReason(questionnaire);
  const isStored = (key: string) => !identityQuestions?.includes(key);
  const parts = await codebookParts(definition, by);
  const countables = parts.countables.filter(({ key }) => isStored(key));
  const pages = questionKeysByPage(definition);
  const others = pages.filter((keys) => !keys.includes(networkSizeQuestion));
  return {
    languages: parts.languages,
    shapes: parts.shapes.filter(([key]) => isStored(key)),
    countables,
    asked: pages.flat().filter(isStored),
    ofAll: (others.length > 0 ? others : pages).flat().filter((key) => key !== RELATION_QUESTION),
    deciding: takesPartIf ? decidingNames(definition, takesPartIf) : [],
    sizeQuestion: countables.find(({ key }) => key === networkSizeQuestion)?.title ?? null,
  };
}

function decidingNames(definition: object, takesPartIf: string): string[] {
  try {
    return namesRead(definition, takesPartIf).map(({ key }) => key);
  } catch (error) {
    // From an older version, stored before expressions were limited.
    if (error instanceof UnusableExpression) return [];
    throw error;
  }
}
