/** A questionnaire's draft, shared by the page's tabs, with undo. */

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useWorkspace } from '../../../session/session.tsx';
import { refreshQueries } from '../../kit/data/use-list.tsx';
import {
  addToUndoHistory,
  newUndoHistory,
  redoStep,
  type UndoHistory,
  undoStep,
} from '../build/undo-history.ts';
import type { VersionDraft } from './draft-content.ts';
import type { QuestionnaireDraftReference } from './draft-on-device.ts';
import {
  type OpenQuestionnaireDraft,
  questionnaireDraftAt,
  type StoredQuestionnaireDraft,
} from './draft-store.ts';

const isOfDrafts = (path: string) => path.startsWith('/api/questionnaire-drafts');

/** Opens the draft for people who may edit it, and checks for changes whenever the window becomes visible. */
export function useQuestionnaireDraft(
  { base, id, from }: QuestionnaireDraftReference,
  may = true,
): OpenQuestionnaireDraft {
  const workspace = useWorkspace();
  const [open] = useState(() => questionnaireDraftAt(workspace, { base, id, ...(from ? { from } : {}) }));
  useEffect(() => {
    if (!may) return;
    const look = () => {
      if (document.visibilityState === 'visible') void open.look();
    };
    look();
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
      void open.push().then(() => refreshQueries(isOfDrafts));
    };
  }, [open, may]);
  return open;
}

export const useDraftState = (open: OpenQuestionnaireDraft) => useSyncExternalStore(open.watch, open.get);

/** Kept while the app is open. */
const histories = new WeakMap<OpenQuestionnaireDraft, UndoHistory<VersionDraft | null>>();

export interface QuestionnaireDraftConflict {
  /** Null if it was discarded or became a version. */
  other: StoredQuestionnaireDraft | null;
  keepMine(): void;
  takeOther(): void;
}

export function useDraftUndoHistory(open: OpenQuestionnaireDraft) {
  const state = useDraftState(open);
  const { draft, other } = state;
  const existing = histories.get(open);
  // A draft loaded from the service has no history.
  const history = existing?.present === draft ? existing : newUndoHistory(draft);
  const take = (next: UndoHistory<VersionDraft | null>) => {
    if (next === history) return;
    histories.set(open, next);
    open.set(next.present);
  };
  const elsewhere: QuestionnaireDraftConflict | null =
    other === undefined
      ? null
      : {
          other,
          keepMine: open.keepMine,
          // Can be undone.
          takeOther: () => {
            histories.set(open, addToUndoHistory(history, other?.draft ?? null));
            open.takeOther();
          },
        };
  return {
    state,
    edit: (next: VersionDraft | null, field: string | null = null) =>
      take(addToUndoHistory(history, next, field)),
    undo: history.past.length > 0 ? () => take(undoStep(history)) : null,
    redo: history.future.length > 0 ? () => take(redoStep(history)) : null,
    elsewhere,
  };
}
