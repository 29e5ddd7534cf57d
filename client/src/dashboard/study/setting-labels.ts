import type { Study } from '../../wire.ts';
import { useDeskText } from '../kit/words/desk-text.ts';

export type Settings = Omit<Study, 'updatedAt'>;

type Words = Partial<Record<string, string>>;

/** What the study's settings are called, and what each is for. */
export function useSettingLabels() {
  const { t } = useDeskText();
  const [labels, what] = (['study.fields', 'study.what'] as const).map(
    (key) => t(key, { returnObjects: true }) as Words,
  );
  return (name: string) => ({ label: labels?.[name], description: what?.[name] });
}
