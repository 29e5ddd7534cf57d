/**
 * What a questionnaire must not contain. Checked before survey-core sees it, because building a model can already have
 * effects: `choicesByUrl` fetches at once. A questionnaire must never make a device in the field contact another host,
 * nor run code that somebody wrote into a text.
 */
import {
  type CodedError,
  type FieldError,
  fault,
  fieldError,
} from '../../platform/http/problems/error-codes.ts';
import { patternFault } from './pattern.ts';

const MAX_DEPTH = 40;
const MAX_NODES = 50_000;

export const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const REMOTE_PROPERTIES: Record<string, CodedError> = {
  choicesByUrl: fault('CHOICES_ELSEWHERE'),
  surveyPostId: fault('SENT_ELSEWHERE'),
  surveyId: fault('KEPT_ELSEWHERE'),
  navigateToUrl: fault('LEADS_AWAY'),
  navigateToUrlOnCondition: fault('LEADS_AWAY'),
  cookieName: fault('COOKIE'),
};

const IDENTIFYING_TYPES = new Set(['file', 'signaturepad']);
const ADDRESS = /(link|url|image|logo|icon|video|poster|src|href)$/i;
const HARMLESS_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]*$/i;
const WITH_SCHEME = /^\s*([a-z][a-z0-9+.-]*:|[\\/]{2})/i;
const isMarkup = (property: string) => /html/i.test(property);
const SCRIPT = /<\s*script|javascript\s*:/i;
/** Tags that only format text. */
export const PLAIN_TAGS = new Set(
  'p br hr b strong i em u s small sub sup ul ol li dl dt dd h1 h2 h3 h4 h5 h6 span div blockquote table thead tbody tr th td'.split(
    ' ',
  ),
);
const TAG = /^<\/?([a-z][a-z0-9]*)(\s+(class|lang|dir)="[^"<>&]*")*\s*\/?>/i;

export interface DefinitionSafetyScan {
  errors: FieldError[];
  /** The path of each object in the definition, to turn survey-core's errors into paths. */
  paths: Map<object, string>;
}

export function scanDefinition(definition: object): DefinitionSafetyScan {
  const scan: DefinitionSafetyScan = { errors: [], paths: new Map() };
  let nodes = 0;
  const refuse = (path: string, why: CodedError) => scan.errors.push({ path, ...why });

  const visit = (value: unknown, path: string, properties: string[], depth: number): void => {
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      const wrong = textFault(value, properties);
      if (wrong) refuse(path, wrong);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    if (depth === MAX_DEPTH) refuse(path, fault('DEFINITION_TOO_DEEP', { most: MAX_DEPTH }));
    if (!scan.paths.has(value)) scan.paths.set(value, path);
    for (const key of Object.keys(value)) {
      const at = `${path}.${key}`;
      if (FORBIDDEN_NAMES.has(key)) refuse(path, fault('PROPERTY_NAME'));
      else if (REMOTE_PROPERTIES[key]) refuse(at, REMOTE_PROPERTIES[key]);
      // Translations of a text and items of a list are checked as the property that they belong to.
      else
        visit(
          (value as Record<string, unknown>)[key],
          at,
          propertiesToCheck(key, properties, value),
          depth + 1,
        );
    }
  };

  visit(definition, 'definition', [], 1);
  if (nodes > MAX_NODES) scan.errors.push(fieldError('definition', 'DEFINITION_TOO_LARGE'));
  return scan;
}

/** Below an address or markup, any key may be a language code, so the text is checked as both. */
function propertiesToCheck(key: string, properties: string[], owner: object): string[] {
  if (Array.isArray(owner)) return properties;
  return [...properties.filter((one) => isMarkup(one) || ADDRESS.test(one)), key];
}

function textFault(text: string, properties: string[]): CodedError | null {
  const [property = ''] = properties.slice(-1);
  if ((property === 'type' || property === 'cellType') && IDENTIFYING_TYPES.has(text)) {
    return fault('IDENTIFYING');
  }
  if (property === 'regex') return patternFault(text);
  if (SCRIPT.test(text)) return fault('SCRIPT');
  if (properties.some((one) => ADDRESS.test(one)) && WITH_SCHEME.test(text) && !HARMLESS_IMAGE.test(text)) {
    return fault('OTHER_HOST');
  }
  if (properties.some(isMarkup)) return htmlFault(text);
  return null;
}

function htmlFault(html: string): CodedError | null {
  for (const tagStart of html.matchAll(/<(?=[a-z/!?])/gi)) {
    const tag = TAG.exec(html.slice(tagStart.index, tagStart.index + 300));
    if (!tag || !PLAIN_TAGS.has((tag[1] ?? '').toLowerCase())) {
      return fault('TAG');
    }
  }
  return null;
}
