/**
 * How many entries a group of repeated questions has: as many as the interviewer adds, a fixed number, or the answer
 * to a question.
 */
import { isPlainObject } from '../../../../../../src/platform/lib/objects/plain-object.ts';
import { FIXED_REPEAT_PROPERTIES } from '../../../../../../src/questionnaires/xlsform/row-types.ts';
import type { JsonObject } from '../../element-paths.ts';

export type RepeatedPanelCount =
  | { by: 'interviewer' }
  | { by: 'number'; count: number }
  | { by: 'question'; name: string };

export const MAX_REPEAT_ENTRIES = 100;

export function repeatCountRuleOf(element: JsonObject): RepeatedPanelCount {
  const { bindings, panelCount, minPanelCount: least, maxPanelCount: most } = element;
  if (isPlainObject(bindings) && typeof bindings.panelCount === 'string')
    return { by: 'question', name: bindings.panelCount };
  const isFixed = element.allowAddPanel === false && element.allowRemovePanel === false;
  if (isFixed && typeof panelCount === 'number') return { by: 'number', count: panelCount };
  return typeof least === 'number' && least === most ? { by: 'number', count: least } : { by: 'interviewer' };
}

const COUNT_PROPERTIES = [
  'panelCount',
  'minPanelCount',
  'maxPanelCount',
  'bindings',
  ...Object.keys(FIXED_REPEAT_PROPERTIES),
];

export function withRepeatCount(element: JsonObject, count: RepeatedPanelCount): JsonObject {
  const rest = Object.fromEntries(Object.entries(element).filter(([key]) => !COUNT_PROPERTIES.includes(key)));
  const { panelCount: _, ...others } = isPlainObject(element.bindings) ? element.bindings : {};
  const bindings = count.by === 'question' ? { ...others, panelCount: count.name } : others;
  return {
    ...rest,
    ...(Object.keys(bindings).length > 0 && { bindings }),
    ...(count.by === 'number' && { panelCount: count.count }),
    // By default, the forms library also changes the answer to the number of entries.
    ...(count.by !== 'interviewer' && FIXED_REPEAT_PROPERTIES),
  };
}
