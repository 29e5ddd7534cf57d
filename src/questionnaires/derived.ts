/** What the answers of an interview tell of it: the network size, and whether the person takes part. */
import type { QuestionnaireRecord } from './model.ts';
import { quietly } from './quietly.ts';
import { compileTakesPart } from './takes-part.ts';

type Answers = Record<string, unknown>;

interface Derived {
  networkSize: number | null;
  /** Only where the person does not. */
  takesPart?: false;
}

/** Who takes part: as the questionnaire says of a complete interview where it says so, else as the sender does. */
export function derivedFrom(
  questionnaire: Pick<QuestionnaireRecord, 'definition' | 'networkSizeQuestion' | 'takesPartIf'>,
  { status, responses }: { status: 'IN_PROGRESS' | 'COMPLETED'; responses: Answers },
  said: boolean,
): Derived {
  const { definition, takesPartIf } = questionnaire;
  const isIn = () => status !== 'COMPLETED' || holds(definition, takesPartIf ?? '', responses);
  const takesPart = takesPartIf ? isIn() : said;
  return { networkSize: networkSizeOf(questionnaire, responses), ...(takesPart ? {} : { takesPart }) };
}

/** By the definition that is kept in memory (model.ts), so that they go with it. */
const compiled = new WeakMap<object, (answers: Answers) => boolean>();

function holds(definition: object, takesPartIf: string, responses: Answers): boolean {
  return quietly(() => {
    const condition = compiled.get(definition) ?? compileTakesPart(definition, takesPartIf);
    compiled.set(definition, condition);
    return condition(responses);
  });
}

/** The number as answered, digits in a text too; null where none was given. The raw answer stays in the responses. */
export function networkSizeOf(
  questionnaire: { networkSizeQuestion: string },
  responses: Record<string, unknown>,
): number | null {
  const name = questionnaire.networkSizeQuestion;
  const raw = Object.hasOwn(responses, name) ? responses[name] : null;
  const answer = typeof raw === 'string' && /^\s*\d{1,9}\s*$/.test(raw) ? Number(raw) : raw;
  return typeof answer === 'number' && Number.isFinite(answer) && answer >= 0 ? answer : null;
}
