/**
 * Runs a questionnaire's patterns with an engine whose time only grows with the length of the text. The browser's own
 * engine backtracks: a pattern of ten characters can block a phone, or the whole service, forever. Importing this file
 * plugs the engine into the form library, in the service and in the browser, so that both give the same result.
 */
import { RE2JS } from 're2js';
import { RegexValidator } from 'survey-core';
import { type CodedError, fault } from '../../platform/http/problems/error-codes.ts';
import { LruCache } from '../../platform/lib/lru-cache.ts';

const MAX_LENGTH = 200;
/** Repetitions are expanded: `(a{100}){10}` becomes a thousand steps, each tried at every character. */
const MAX_STEPS = 1_000;
/** Steps times characters, about 30 ms. Patterns of real forms have at most 50 steps, so 40,000 characters. */
const MAX_WORK = 2_000_000;

/**
 * What one engine reads as an escape or a class and the other as plain letters. Applied after escaped backslashes are
 * removed.
 */
const AMBIGUOUS_SYNTAX =
  /\\(?![dDwWsSbBnrtfv0xucpP]|[^a-zA-Z0-9])|\\x\{|\\[pP](?!\{)|\[\[:|\(\?[PU]|\(\?[a-z-]+[:)]/;

interface Linear {
  test(text: unknown): boolean;
}

function compile(pattern: string, ignoreCase: boolean): Linear | CodedError {
  if (pattern.length > MAX_LENGTH) return fault('PATTERN_TOO_LONG', { count: MAX_LENGTH });
  try {
    new RegExp(pattern);
  } catch {
    return fault('NO_PATTERN');
  }
  if (AMBIGUOUS_SYNTAX.test(pattern.replaceAll('\\\\', ''))) return fault('PATTERN_UNKNOWN');
  try {
    const engine = RE2JS.compile(RE2JS.translateRegExp(pattern), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const steps = engine.programSize();
    if (steps > MAX_STEPS) return fault('PATTERN_TOO_LARGE');
    return {
      test: (value) => {
        const text = String(value);
        return text.length * steps <= MAX_WORK && engine.test(text);
      },
    };
  } catch {
    return fault('PATTERN_UNKNOWN');
  }
}

const compiled = new LruCache<Linear | CodedError>(200);

function compiledOnce(pattern: string, ignoreCase: boolean): Linear | CodedError {
  const key = `${ignoreCase ? 'i' : '-'}${pattern}`;
  const result = compiled.get(key) ?? compile(pattern, ignoreCase);
  compiled.set(key, result);
  return result;
}

/** Why a questionnaire can't have this pattern, or null. */
export function patternFault(pattern: string): CodedError | null {
  const result = compiledOnce(pattern, false);
  return 'code' in result ? result : null;
}

/**
 * Older stored questionnaires may have a pattern that this engine refuses. It accepts everything: completing an
 * interview matters more than the format of one answer.
 */
const ASKS_NOTHING: Linear = { test: () => true };

Object.assign(RegexValidator.prototype, {
  createRegExp(this: RegexValidator): Linear {
    const result = compiledOnce(String(this.regex), Boolean(this.caseInsensitive));
    return 'code' in result ? ASKS_NOTHING : result;
  },
});
