/** Parses the definition from JSON text. */
import { isPlainObject } from '../../../../src/platform/lib/objects/plain-object.ts';

/** The object in this text, or the reason why there is none. */
export function parseDefinition(text: string): { definition: object } | { message: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? { definition: value } : { message: '{ … }' };
  } catch (error) {
    return { message: error instanceof Error ? error.message.replace(/^JSON\.parse: /, '') : String(error) };
  }
}
