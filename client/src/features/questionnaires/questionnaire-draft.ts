/** The next version of a questionnaire while it is written, for the page's tabs alike. */

import { useDraft } from '../../edits.ts';
import type { Questionnaire } from '../../wire.ts';

export interface VersionDraft {
  name: string;
  sizeQuestion: string;
  /** Empty where the sender says who takes part; absent of a draft that was kept before there was such a thing. */
  takesPartIf?: string;
  /** The definition as JSON, as it stands in the field: it may have faults. */
  text: string;
}

/** The next version as far as it is written; null where nothing was changed. */
export const useVersionDraft = ({ id }: Questionnaire) => useDraft<VersionDraft>(`version ${id}`);
