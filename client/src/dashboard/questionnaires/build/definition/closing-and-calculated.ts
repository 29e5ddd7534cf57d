/** Reads a questionnaire's closing texts and calculated values, without the forms library. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { arrayOrEmpty, type JsonObject } from '../../element-paths.ts';
import { isLocalizedText, type LocalizedText } from '../../questionnaire-outline.ts';

export interface ClosingTextEntry {
  expression: string;
  html: LocalizedText | undefined;
}
export interface CalculatedEntry {
  name: string;
  expression: string;
}
export type ExpressionListName = 'completedHtmlOnCondition' | 'calculatedValues';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const entriesOfExpressionList = (definition: object, list: ExpressionListName): JsonObject[] =>
  arrayOrEmpty((definition as JsonObject)[list]).map((one) => (isPlainObject(one) ? one : {}));

/** Closing texts with a condition; the first match is shown. */
export const closingTextsOf = (definition: object): ClosingTextEntry[] =>
  entriesOfExpressionList(definition, 'completedHtmlOnCondition').map(({ expression, html }) => ({
    expression: textOf(expression),
    html: isLocalizedText(html) && html !== '' ? html : undefined,
  }));

export const calculatedIn = (definition: object): CalculatedEntry[] =>
  entriesOfExpressionList(definition, 'calculatedValues').map(({ name, expression }) => ({
    name: String(name ?? ''),
    expression: textOf(expression),
  }));
