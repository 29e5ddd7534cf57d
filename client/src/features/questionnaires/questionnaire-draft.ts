/** The draft of the next version, shared by the page's tabs, with undo. */

import { useDraftElsewhere, useKeptDraft } from '../../edits.ts';
import { useUser } from '../../session.tsx';
import type { Questionnaire } from '../../wire.ts';
import { begin, done, type History, redone, undone } from './build/undo-history.ts';

export interface VersionDraft {
  name: string;
  sizeQuestion: string;
  /** Empty where the sender says who takes part; absent of a draft that was kept before there was such a thing. */
  takesPartIf?: string;
  /** Absent of an earlier draft, which has those of the version that it began from. */
  clues?: readonly string[];
  /** The definition as JSON, as it stands in the field: it may have faults. */
  text: string;
}

/** The next version as far as it is written; null where nothing was changed. It outlasts the window. */
export const useVersionDraft = ({ id }: Questionnaire) => useKeptDraft<VersionDraft>(nameOf(id));

const nameOf = (id: string) => `version ${id}`;

/** By whoever writes and the version it began from: as long as the app is open. */
const histories = new Map<string, History<VersionDraft | null>>();

export type Elsewhere = NonNullable<ReturnType<typeof useVersionHistory>['elsewhere']>;

export function useVersionHistory(questionnaire: Questionnaire) {
  const [draft, setDraft] = useVersionDraft(questionnaire);
  const { other, settle } = useDraftElsewhere<VersionDraft>(nameOf(questionnaire.id));
  const key = `${useUser().id} ${questionnaire.id}`;
  const known = histories.get(key);
  // A draft of an earlier window has none.
  const history = known?.present === draft ? known : begin(draft);
  const take = (next: History<VersionDraft | null>) => {
    if (next === history) return;
    histories.set(key, next);
    setDraft(next.present);
  };
  return {
    draft,
    edit: (next: VersionDraft | null, field: string | null = null) => take(done(history, next, field)),
    undo: history.past.length > 0 ? () => take(undone(history)) : null,
    redo: history.future.length > 0 ? () => take(redone(history)) : null,
    elsewhere:
      other === undefined
        ? null
        : {
            isGone: other === null,
            keepMine: () => {
              settle();
              setDraft(draft);
            },
            // A step that can be taken back.
            useOther: () => {
              settle();
              take(done(history, other));
            },
          },
  };
}
