/** Counts calls of a built-in method during a piece of work: its steps are repeatable, times are not. */
export function countCalls<T>(owner: object, method: string, work: () => T): { calls: number; result: T } {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  const own = methods[method];
  if (!own) throw new Error(`There is no ${method}.`);
  let calls = 0;
  methods[method] = function (...args) {
    calls += 1;
    return own.apply(this, args);
  };
  try {
    return { result: work(), calls };
  } finally {
    methods[method] = own;
  }
}
