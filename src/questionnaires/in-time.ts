/**
 * A questionnaire is written by people: a pattern that takes for ever on the wrong answer, or panels that unfold into
 * millions, would hold up everybody else, since the form library does its work in one go. It is cut off instead.
 */
import { createContext, Script } from 'node:vm';

/** Some hundred times what the largest sensible form needs. */
const LIMIT_MS = 2_000;

const script = new Script('work()');
const context: { work?: () => unknown } = createContext({});

export class TooSlow extends Error {}

/** What `work` answers, or TooSlow. It is stopped in the middle: not even its own `finally` is run then. */
export function inTime<T>(work: () => T): T {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: LIMIT_MS }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TooSlow();
    throw error;
  } finally {
    delete context.work;
  }
}
