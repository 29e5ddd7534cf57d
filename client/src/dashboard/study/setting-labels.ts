import type { Study } from '../../wire.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export type StudySettings = Omit<Study, 'updatedAt'>;

type Words = Partial<Record<string, string>>;

/** Labels and descriptions of the study's settings. */
export function useSettingLabels() {
  const { t } = useDashboardText();
  const [labels, what] = (['study.fields', 'study.what'] as const).map(
    (key) => t(key, { returnObjects: true }) as Words,
  );
  return (name: string) => ({ label: labels?.[name], description: what?.[name] });
}
