/** The name of a question type on the screen; types without one keep the form library's name. */
import type { useDeskText } from '../../desk/desk-text.ts';

const NAMED = [
  'radiogroup',
  'dropdown',
  'checkbox',
  'tagbox',
  'html',
  'text',
  'number',
  'date',
  'time',
  'datetime-local',
  'comment',
  'expression',
  'boolean',
  'rating',
  'ranking',
  'slider',
  'matrix',
  'panel',
  'paneldynamic',
] as const;
const isNamed = (kind: string): kind is (typeof NAMED)[number] => NAMED.some((one) => one === kind);

/** Also of a text for one sort of input, such as `text (time)`. */
export function kindName(kind: string, t: ReturnType<typeof useDeskText>['t']): string {
  const input = /^text \((.+)\)$/.exec(kind)?.[1] ?? kind;
  return isNamed(input) ? t(`versions.kind.${input}`) : kind;
}
