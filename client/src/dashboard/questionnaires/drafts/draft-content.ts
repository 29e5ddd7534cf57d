/** The content of a draft, on this page and as the service stores it. */
import type { QuestionnaireDraft } from '../../../../../src/questionnaires/drafts/schema.ts';
import { parseDefinition } from '../questionnaire-json.ts';

export interface VersionDraft {
  name: string;
  sizeQuestion: string;
  /** Empty if the client decides who is eligible. */
  takesPartIf: string;
  /** Names of the identity questions. */
  clues: readonly string[];
  /** The definition as JSON, exactly as typed: it may be invalid. */
  text: string;
}

export const definitionText = (definition: object) => JSON.stringify(definition, null, 2);

/** Without whitespace, so that every questionnaire fits. */
function smallest(text: string): string {
  const parsed = parseDefinition(text);
  return 'definition' in parsed ? JSON.stringify(parsed.definition) : text;
}

export const draftContent = ({ name, sizeQuestion, takesPartIf, clues, text }: VersionDraft) => ({
  name,
  text: smallest(text),
  networkSizeQuestion: sizeQuestion,
  takesPartIf,
  identityQuestions: [...clues],
});

export function toVersionDraft(storedDraft: QuestionnaireDraft): VersionDraft {
  const parsed = parseDefinition(storedDraft.text);
  return {
    name: storedDraft.name,
    sizeQuestion: storedDraft.networkSizeQuestion,
    takesPartIf: storedDraft.takesPartIf,
    clues: storedDraft.identityQuestions,
    text: 'definition' in parsed ? definitionText(parsed.definition) : storedDraft.text,
  };
}

export const haveSameContent = (a: VersionDraft | null, b: VersionDraft | null): boolean =>
  a === b ||
  (a !== null && b !== null && JSON.stringify(draftContent(a)) === JSON.stringify(draftContent(b)));
