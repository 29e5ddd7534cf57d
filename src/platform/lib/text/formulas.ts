/**
 * Recognizes the formulas of a form (formula-texts.ts) in its other versions, by a hash of everything that each depends
 * on.
 */
import { createHash } from 'node:crypto';
import { formulaTextsByName } from './formula-texts.ts';

/** Hashes by name, in lower case because expressions ignore case. */
export type FormulaHashes = ReadonlyMap<string, string>;

export function hashFormulas(definition: object): FormulaHashes {
  const texts = formulaTextsByName(definition);
  return new Map(
    [...texts].map(([name, { text }]) => {
      const needed = [...referredTo(texts, text).add(name)].sort();
      const whole = JSON.stringify(needed.map((one) => [one, texts.get(one)?.text]));
      return [name, createHash('sha256').update(whole).digest('hex').slice(0, 32)];
    }),
  );
}

/** The names of formulas that an expression depends on, in lower case. */
export const formulasUsedIn = (definition: object, expression: string): string[] => [
  ...referredTo(formulaTextsByName(definition), expression),
];

/** Names in braces, and the names that their formulas use. */
function referredTo(texts: ReturnType<typeof formulaTextsByName>, expression: string): Set<string> {
  const names = new Set<string>();
  const look = (text: string) => {
    for (const [, inBraces = ''] of text.toLowerCase().matchAll(/\{([^{}]*)\}/g)) {
      const [name = ''] = inBraces.trim().replace(/^#/, '').split(/[.[]/);
      const own = texts.get(name);
      if (own === undefined || names.has(name)) continue;
      names.add(name);
      look(own.text);
    }
  };
  look(expression);
  return names;
}
