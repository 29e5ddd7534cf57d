/** Interviews whose last answers are on the screen but not yet stored, kept while the workspace is open. */

import { type Observable, observable } from './observable.ts';
import type { Draft } from './store/store.ts';
import type { PersonScope } from './workspace.ts';

export interface UnsavedDrafts {
  /** By id, as they would be stored. */
  drafts: Observable<ReadonlyMap<string, Draft>>;
  put(draft: Draft): void;
  drop(id: string): void;
}

export function createUnsavedDrafts(mine: PersonScope): UnsavedDrafts {
  const drafts = observable<ReadonlyMap<string, Draft>>(new Map());
  // The browser warns before closing the page.
  const hold = (event: BeforeUnloadEvent) => {
    if (drafts.get().size > 0) event.preventDefault();
  };
  addEventListener('beforeunload', hold);
  mine.onEnd(() => removeEventListener('beforeunload', hold));
  return {
    drafts,
    put: (draft) => drafts.set(new Map(drafts.get()).set(draft.id, draft)),
    drop: (id) => {
      if (!drafts.get().has(id)) return;
      const rest = new Map(drafts.get());
      rest.delete(id);
      drafts.set(rest);
    },
  };
}
