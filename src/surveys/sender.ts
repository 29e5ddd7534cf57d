import type { Types } from 'mongoose';
import type { SurveyRecord } from './model.ts';

/** Whose interview it is and who brings it: mostly the same person, another one where it is imported. */
export interface Sender {
  owner: Types.ObjectId;
  /** Null for a command of an operator. */
  by: Types.ObjectId | null;
  now: Date;
  /** Of the study: where a day begins and ends. */
  zone: string;
  /** Of the settings: what identity clues are hashed with. */
  identityKey: string;
  /** Throws unless whoever brings it may. */
  mayStore(draft: SurveyRecord): void;
}
