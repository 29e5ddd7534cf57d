/** The builder's label for the element at a path of the definition. */
import { elementAt, elementPlaceOfPath } from '../element-paths.ts';
import type { LocalizedText } from '../questionnaire-outline.ts';
import { calculatedIn } from './definition/closing-and-calculated.ts';
import { useBuilderText } from './use-build.ts';

const MAX_LABEL_LENGTH = 60;

/** Null if the path can only be found in the JSON. */
export function useDefinitionPathLabel(definition: object | null): (path: string) => string | null {
  const { own, t, line } = useBuilderText();
  const ofTheWhole = (definition: object, path: string): string => {
    if (path === 'name') return t('common.name');
    if (path === 'networkSizeQuestion') return t('versions.networkSize');
    if (path === 'takesPartIf') return t('versions.takesPartIf');
    if (path.startsWith('identityQuestions')) return own('clues.title');
    const [, list, index = ''] =
      /^definition\.(completedHtmlOnCondition|calculatedValues)\.(\d+)/.exec(path) ?? [];
    if (list === 'completedHtmlOnCondition') return own('closing.number', { number: Number(index) + 1 });
    const name = list ? calculatedIn(definition)[Number(index)]?.name : undefined;
    if (name) return own('calculated.one', { name });
    if (path.startsWith('definition.completedHtml')) return own('closing.title');
    return own(path.startsWith('definition.calculatedValues') ? 'calculated.title' : 'wholeQuestionnaire');
  };
  return (path) => {
    const place = definition && elementPlaceOfPath(definition, path);
    if (!definition || !place) return null;
    if (place.length === 0) return ofTheWhole(definition, path);
    const { title, html, name } = elementAt(definition, place) ?? {};
    return line((title || html || String(name ?? '')) as LocalizedText, MAX_LABEL_LENGTH);
  };
}
