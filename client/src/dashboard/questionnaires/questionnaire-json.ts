/** Finds the position of a path in a JSON text, so that an error can link to it. */
import { isPlainObject } from '../../../../src/platform/lib/objects/plain-object.ts';

export interface JsonFault {
  message: string;
  /** Where in the text, as far as it is known. */
  at: number | null;
}

/** The object in this text, or why there is none. */
export function parseDefinition(text: string): { definition: object } | { fault: JsonFault } {
  try {
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value)) return { definition: value };
    return { fault: { message: '{ … }', at: 0 } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    return {
      fault: { message: message.replace(/^JSON\.parse: /, ''), at: at === undefined ? null : Number(at) },
    };
  }
}

export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/**
 * The place of `definition.pages.0.elements.2.name` in the text; of the nearest thing around it where it is absent.
 * The text is known to be JSON.
 */
export function placeOf(text: string, path: string): number {
  const wanted = path.split('.').slice(1);
  let at = 0;
  const skip = () => {
    while (/[\s,:]/.test(text[at] ?? 'x')) at += 1;
  };
  const string = (): string => {
    const from = at;
    at += 1;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(from, at)) as string;
  };
  /** Moves behind the value that begins here. */
  const pass = (): void => {
    skip();
    const first = text[at];
    if (first === '"') string();
    else if (first === '{' || first === '[') {
      at += 1;
      for (skip(); text[at] !== '}' && text[at] !== ']'; skip()) pass();
      at += 1;
    } else while (at < text.length && !/[\s,\]}]/.test(text[at] ?? ' ')) at += 1;
  };
  for (const step of wanted) {
    skip();
    const start = at;
    const isList = text[at] === '[';
    if (!isList && text[at] !== '{') return start;
    at += 1;
    let index = 0;
    let found = false;
    for (skip(); at < text.length && text[at] !== '}' && text[at] !== ']'; skip()) {
      const key = isList ? String(index) : string();
      skip();
      if (key === step) {
        found = true;
        break;
      }
      pass();
      index += 1;
    }
    if (!found) return start;
  }
  skip();
  return at;
}
