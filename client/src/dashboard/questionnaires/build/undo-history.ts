/** Undo and redo, as a list of states. */
export interface UndoHistory<T> {
  past: T[];
  present: T;
  future: T[];
  /** The field of the last step: consecutive typing in one field is one step. */
  field: string | null;
}

const MAX_STEPS = 100;

export const newUndoHistory = <T>(present: T): UndoHistory<T> => ({
  past: [],
  present,
  future: [],
  field: null,
});

/** `field`: the field being typed in; null for a separate step. */
export function addToUndoHistory<T>(
  history: UndoHistory<T>,
  next: T,
  field: string | null = null,
): UndoHistory<T> {
  if (next === history.present) return history;
  const goesOn = field !== null && field === history.field;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-MAX_STEPS);
  return { past, present: next, future: [], field };
}

export function undoStep<T>(history: UndoHistory<T>): UndoHistory<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  const { past, present, future } = history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], field: null };
}

export function redoStep<T>(history: UndoHistory<T>): UndoHistory<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, field: null };
}
