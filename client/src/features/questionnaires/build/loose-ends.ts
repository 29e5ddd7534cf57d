/** What the service would take, and the field would not: conditions about what is not there, questions without words. */
import { readCondition } from '../questionnaire-logic.ts';
import { sourcesBefore } from './condition.ts';
import { namesIn, type Work } from './names.ts';
import { type Json, type Place, placesOf } from './places.ts';
import { isChoiceless, isWordless } from './words.ts';

export type Loose =
  | 'noWords'
  | 'noChoices'
  | 'emptyPage'
  | 'unknownName'
  | 'askedLater'
  | 'unknownChoice'
  | 'noValue';

export interface LooseEnd {
  what: Loose;
  place: Place | null;
  /** The question that a condition speaks of, or the choice. */
  name: string;
}

const CONDITIONS = ['visibleIf', 'requiredIf', 'enableIf'];

/** `{panel.age}` and `{row.x}` speak of what stands beside a question. */
const OWN_SCOPE = ['panel', 'row', 'item', 'choice', 'self', 'locale', 'pageno', 'pagecount'];

const namesOf = (expression: string): string[] =>
  [...expression.matchAll(/\{([^{}]+)\}/g)].flatMap(([, found = '']) => {
    const name = found.trim().replace(/^#/, '');
    const whole = (/^[^.[]*/.exec(name)?.[0] ?? name).replace(/-Comment$/i, '');
    return OWN_SCOPE.includes(whole) ? [] : [whole];
  });

export function looseEnds({ definition, takesPartIf }: Work): LooseEnd[] {
  const known = namesIn(definition);
  const all = placesOf(definition);
  const ends = all.flatMap(({ element, place }): LooseEnd[] => {
    const own: LooseEnd[] = [];
    const name = String(element.name ?? '');
    if (isWordless(element, place)) own.push({ what: 'noWords', place, name });
    if (place.length > 1 && isChoiceless(element)) own.push({ what: 'noChoices', place, name });
    if (place.length === 1 && !all.some((one) => one.place.length > 1 && one.place[0] === place[0]))
      own.push({ what: 'emptyPage', place, name });
    return [...own, ...ofConditions(definition, element, place, known)];
  });
  const unknown = namesOf(takesPartIf).filter((name) => !known.has(name.toLowerCase()));
  return [...ends, ...unknown.map((name): LooseEnd => ({ what: 'unknownName', place: null, name }))];
}

function ofConditions(definition: object, element: Json, place: Place, known: Set<string>): LooseEnd[] {
  const texts = CONDITIONS.map((key) => element[key]).filter((one) => typeof one === 'string');
  if (texts.length === 0) return [];
  const sources = new Map(
    sourcesBefore(definition, place).map((source) => [source.name.toLowerCase(), source]),
  );
  const variables = new Set([...sources.keys(), 'studycontact']);
  return texts.flatMap((text): LooseEnd[] => {
    const names = [...new Set(namesOf(text))];
    const unknown = names.filter((name) => !known.has(name.toLowerCase()));
    // A question may well be shown by what a later one of its page says; a page by later pages may not.
    const later = names.filter(
      (name) =>
        known.has(name.toLowerCase()) &&
        !variables.has(name.toLowerCase()) &&
        isLater(definition, place, name),
    );
    const clauses = readCondition(text)?.clauses ?? [];
    const open = clauses.filter(({ values }) => values.includes(''));
    const choices = clauses.flatMap(({ question, values }) => {
      const source = sources.get(question.toLowerCase());
      if (source?.answers !== 'one' && source?.answers !== 'several') return [];
      return values.filter((value) => !source.choices.some((one) => String(one.value) === value));
    });
    return [
      ...unknown.map((name): LooseEnd => ({ what: 'unknownName', place, name })),
      ...later.map((name): LooseEnd => ({ what: 'askedLater', place, name })),
      ...open.map(({ question }): LooseEnd => ({ what: 'noValue', place, name: question })),
      ...choices.map((name): LooseEnd => ({ what: 'unknownChoice', place, name })),
    ];
  });
}

function isLater(definition: object, place: Place, name: string): boolean {
  const found = placesOf(definition).find(
    ({ element }) => String(element.valueName ?? element.name).toLowerCase() === name.toLowerCase(),
  );
  return found !== undefined && (found.place[0] ?? 0) > (place[0] ?? 0);
}
