/**
 * What a questionnaire may not hold, looked for before survey-core sees it: a model is built from whatever it is
 * given, and one with `choicesByUrl` fetches at once. A device in the field must never reach for another host on a
 * questionnaire's behalf, nor run what somebody wrote into a text.
 */
import type { FieldError } from '../http/problem.ts';
import { patternFault } from './pattern.ts';

const MAX_DEPTH = 40;
const MAX_NODES = 50_000;

export const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const REMOTE: Record<string, string> = {
  choicesByUrl: 'Choices can not be loaded from another place; list them under choices.',
  surveyPostId: 'Answers are sent to this service alone.',
  surveyId: 'A questionnaire is kept whole in this service; it can not be loaded from another place.',
  navigateToUrl: 'An interview can not lead to another page.',
  navigateToUrlOnCondition: 'An interview can not lead to another page.',
  cookieName: 'One device holds many interviews, so a cookie can not mark them as done.',
};

const IDENTIFYING = new Set(['file', 'signaturepad']);
const ADDRESS = /(link|url|image|logo|icon|video|poster|src|href)$/i;
const HARMLESS_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i;
const WITH_SCHEME = /^\s*([a-z][a-z0-9+.-]*:|[\\/]{2})/i;
const isMarkup = (property: string) => /html/i.test(property);
const SCRIPT = /<\s*script|javascript\s*:/i;
/** What shapes a text, and can do nothing else. */
export const PLAIN_TAGS = new Set(
  'p br hr b strong i em u s small sub sup ul ol li dl dt dd h1 h2 h3 h4 h5 h6 span div blockquote table thead tbody tr th td'.split(
    ' ',
  ),
);
const TAG = /^<\/?([a-z][a-z0-9]*)(\s+(class|lang|dir)="[^"<>&]*")*\s*\/?>/i;

export interface Scan {
  errors: FieldError[];
  /** Where each object of the definition stands, to turn survey-core's complaints into paths. */
  paths: Map<object, string>;
}

export function scanDefinition(definition: object): Scan {
  const scan: Scan = { errors: [], paths: new Map() };
  let nodes = 0;
  const refuse = (path: string, message: string) => scan.errors.push({ path, message });

  const visit = (value: unknown, path: string, properties: string[], depth: number): void => {
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      const fault = textFault(value, properties);
      if (fault) refuse(path, fault);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (depth === MAX_DEPTH) refuse(path, `The definition is nested more than ${MAX_DEPTH} levels deep.`);
    if (!scan.paths.has(value)) scan.paths.set(value, path);
    for (const key of Object.keys(value)) {
      const at = `${path}.${key}`;
      if (FORBIDDEN_NAMES.has(key))
        refuse(path, 'The definition holds a property with a name that is not allowed.');
      else if (key in REMOTE) refuse(at, REMOTE[key] ?? '');
      // A text in several languages, or an item of a list, is judged as the property that it stands under.
      else visit((value as Record<string, unknown>)[key], at, judgedAs(key, properties, value), depth + 1);
    }
  };

  visit(definition, 'definition', [], 1);
  if (nodes > MAX_NODES) refuse('definition', 'The definition is too large.');
  return scan;
}

/** Under an address or markup each key may be a language, whatever it looks like: both are asked of its text. */
function judgedAs(key: string, properties: string[], owner: object): string[] {
  if (Array.isArray(owner)) return properties;
  return [...properties.filter((one) => isMarkup(one) || ADDRESS.test(one)), key];
}

function textFault(text: string, properties: string[]): string | null {
  const [property = ''] = properties.slice(-1);
  if ((property === 'type' || property === 'cellType') && IDENTIFYING.has(text)) {
    return 'Photos, files and signatures can identify a respondent, so they are no part of the answers.';
  }
  if (property === 'regex') return patternFault(text);
  if (SCRIPT.test(text)) return 'Scripts are not allowed.';
  if (properties.some((one) => ADDRESS.test(one)) && WITH_SCHEME.test(text) && !HARMLESS_IMAGE.test(text)) {
    return 'Addresses of other hosts are not allowed; an image can be given as data:image/png;base64,… instead.';
  }
  if (properties.some(isMarkup)) return htmlFault(text);
  return null;
}

function htmlFault(html: string): string | null {
  for (const found of html.matchAll(/<(?=[a-z/!?])/gi)) {
    const tag = TAG.exec(html.slice(found.index, found.index + 300));
    if (!tag || !PLAIN_TAGS.has((tag[1] ?? '').toLowerCase())) {
      return 'Only plain text tags are allowed (p, b, i, ul, li, h3, table and the like), with no attribute but class, lang and dir.';
    }
  }
  return null;
}
