/** The name of a question type on the screen; types without one keep the form library's name. */
import type { useDeskText } from '../kit/words/desk-text.ts';

/** Also of a text for one sort of input, such as `text (time)`. */
export function kindName(kind: string, t: ReturnType<typeof useDeskText>['t']): string {
  const input = /^text \((.+)\)$/.exec(kind)?.[1] ?? kind;
  return (t('versions.kind', { returnObjects: true }) as Partial<Record<string, string>>)[input] ?? kind;
}
