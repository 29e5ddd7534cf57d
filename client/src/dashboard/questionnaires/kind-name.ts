/** The label of a question type; types without one keep the forms library's name. */
import type { useDashboardText } from '../kit/words/dashboard-text.ts';

/** Also handles text questions with an input type, such as `text (time)`. */
export function kindName(kind: string, t: ReturnType<typeof useDashboardText>['t']): string {
  const input = /^text \((.+)\)$/.exec(kind)?.[1] ?? kind;
  return (t('versions.kind', { returnObjects: true }) as Partial<Record<string, string>>)[input] ?? kind;
}
