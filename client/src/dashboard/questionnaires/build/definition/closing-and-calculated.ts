/** Reads the closing texts and calculated values of a questionnaire, without the form library. */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { asArray, type Json } from '../../element-paths.ts';
import { isLocalizedText, type LocalizedText } from '../../questionnaire-outline.ts';

export interface ClosingEntry {
  expression: string;
  html: LocalizedText | undefined;
}
export interface CalculatedEntry {
  name: string;
  expression: string;
}
export type ExpressionList = 'completedHtmlOnCondition' | 'calculatedValues';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const entriesOf = (definition: object, list: ExpressionList): Json[] =>
  asArray((definition as Json)[list]).map((one) => (isPlainObject(one) ? one : {}));

/** The texts for those whose answers meet a condition; the first that fits is shown. */
export const closingsOf = (definition: object): ClosingEntry[] =>
  entriesOf(definition, 'completedHtmlOnCondition').map(({ expression, html }) => ({
    expression: textOf(expression),
    html: isLocalizedText(html) && html !== '' ? html : undefined,
  }));

export const calculatedIn = (definition: object): CalculatedEntry[] =>
  entriesOf(definition, 'calculatedValues').map(({ name, expression }) => ({
    name: String(name ?? ''),
    expression: textOf(expression),
  }));
