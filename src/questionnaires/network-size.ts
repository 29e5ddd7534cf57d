/** Fields of an interview that are derived from its answers: the network size, and eligibility. */
import { toLatinDigits } from '../platform/lib/text/latin-digits.ts';
import { compileEligibility } from './definition/eligibility.ts';
import { runWithConsoleMuted } from './definition/silence-console.ts';
import type { QuestionnaireRecord } from './model.ts';

type Answers = Record<string, unknown>;

interface DerivedFields {
  networkSize: number | null;
  /** Only set if the person is not eligible. */
  takesPart?: false;
}

/** Eligibility is decided by the questionnaire's condition, or by the sender (`senderSaysEligible`) if it has none. */
export function deriveSurveyFields(
  questionnaire: Pick<QuestionnaireRecord, 'definition' | 'networkSizeQuestion' | 'takesPartIf'>,
  { status, responses }: { status: 'IN_PROGRESS' | 'COMPLETED'; responses: Answers },
  senderSaysEligible: boolean,
): DerivedFields {
  const { definition, takesPartIf } = questionnaire;
  const isIn = () => status !== 'COMPLETED' || isEligible(definition, takesPartIf ?? '', responses);
  const takesPart = takesPartIf ? isIn() : senderSaysEligible;
  return { networkSize: parseNetworkSize(questionnaire, responses), ...(takesPart ? {} : { takesPart }) };
}

/** Keyed by the cached definition (model.ts), so that both are dropped together. */
const compiled = new WeakMap<object, (answers: Answers) => boolean>();

function isEligible(definition: object, takesPartIf: string, responses: Answers): boolean {
  return runWithConsoleMuted(() => {
    const condition = compiled.get(definition) ?? compileEligibility(definition, takesPartIf);
    compiled.set(definition, condition);
    return condition(responses);
  });
}

/**
 * The network size as a number, even if stored as a text of digits; null if there is no answer. The raw answer stays in
 * the responses.
 */
export function parseNetworkSize(
  questionnaire: { networkSizeQuestion: string },
  responses: Record<string, unknown>,
): number | null {
  const name = questionnaire.networkSizeQuestion;
  const raw = Object.hasOwn(responses, name) ? responses[name] : null;
  const text = typeof raw === 'string' ? toLatinDigits(raw) : '';
  const answer = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : raw;
  return typeof answer === 'number' && Number.isFinite(answer) && answer >= 0 ? answer : null;
}
