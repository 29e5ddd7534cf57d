/** The keys under which a questionnaire has its texts: each is a language, or `default`. Browser-safe. */
import type { Model } from 'survey-core';
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { isLanguageTag } from '../../platform/lib/languages/language-tag.ts';

/** `paths`: the path of each object in the definition. */
export function languageFaults(model: Model, paths: Map<object, string>): FieldError[] {
  const own = isLanguageTag(model.locale || 'en') ? [] : [fieldError('definition.locale', 'TEXT_LANGUAGE')];
  const wrong = model.getUsedLocales().filter((key) => !isLanguageTag(key));
  return [...own, ...wrong.flatMap((key) => faultsOf(key, paths))];
}

const isText = (value: object) =>
  !Array.isArray(value) && Object.values(value).every((text) => typeof text === 'string');

function faultsOf(key: string, paths: Map<object, string>): FieldError[] {
  const places = [...paths].flatMap(([object, path]) =>
    Object.hasOwn(object, key) && isText(object) ? [`${path}.${key}`] : [],
  );
  return (places.length > 0 ? places : ['definition']).map((path) => fieldError(path, 'TEXT_LANGUAGE'));
}
