/** What conditions, calculated values and texts refer to by name, and what of it does not exist. */
import { NAMING, namesIn } from './build/names.ts';
import { listOf } from './build/places.ts';

interface Reference {
  /** Where in the definition, as in a fault: `definition.pages.0.visibleIf`. */
  path: string;
  name: string;
}

/** Known to the form library alone, each with whatever stands behind it: `{panel.age}`, `{row.x}`. */
const OF_THE_LIBRARY =
  /^(panel|prevPanel|nextPanel|parentPanel|panelIndex|visiblePanelIndex|row|prevRow|nextRow|totalRow|rowIndex|visibleRowIndex|rowValue|rowName|rowTitle|item|choice|self|question|locale|pageno|pagecount)$/i;
/** Braces mean something else here, or nothing. */
const NOT_READ = ['name', 'valueName', 'value', 'type', 'regex', 'defaultValue', 'correctAnswer'];
const IN_TEXT = /^#?\p{L}[\p{L}\p{N}_-]*(?:[.[].*)?$/u;

/** `{source-Comment}` and `{list[0].age}` refer to `source` and `list`. */
export function referencesIn(expression: string): string[] {
  return [...expression.matchAll(/\{([^{}]+)\}/g)].flatMap(([, found = '']) => {
    const name = found.trim().replace(/^#/, '');
    const whole = (/^[^.[]*/.exec(name)?.[0] ?? name).replace(/-(Comment|total)$/i, '');
    return OF_THE_LIBRARY.test(whole) ? [] : [whole];
  });
}

/** A text may have braces of its own: only what could be a name counts. */
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]+)\}/g)].flatMap(([all, found = '']) =>
    IN_TEXT.test(found.trim()) ? referencesIn(all) : [],
  );

function references(value: unknown, path: string, key: string): Reference[] {
  if (typeof value === 'string') {
    if (NOT_READ.includes(key)) return [];
    const names = NAMING.includes(key)
      ? [value]
      : /(expression|If)$/i.test(key)
        ? referencesIn(value)
        : quotedIn(value);
    return [...new Set(names)].filter((name) => name !== '').map((name) => ({ path, name }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([at, one]) =>
    references(one, `${path}.${at}`, Array.isArray(value) ? key : at),
  );
}

/** A trigger may make a variable of its own. */
const variablesOf = ({ triggers }: { triggers?: unknown }): string[] =>
  (listOf(triggers) as { isVariable?: boolean; setToName?: unknown }[]).flatMap((trigger) =>
    trigger?.isVariable ? [String(trigger.setToName).toLowerCase()] : [],
  );

/** References to what is not there: a question that was removed, say. */
export function brokenReferences(definition: object): Reference[] {
  const known = new Set([...namesIn(definition), ...variablesOf(definition)]);
  return references(definition, 'definition', '').filter(({ name }) => !known.has(name.toLowerCase()));
}
