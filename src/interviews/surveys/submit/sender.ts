import type { Types } from 'mongoose';
import type { Config } from '../../../platform/config.ts';
import type { HasDeadline } from '../../../platform/rights/actor.ts';
import type { ContactConfig } from '../../contacts/store.ts';
import type { SurveyRecord } from '../model.ts';

/** What storing an interview needs to know of the environment. */
export type SurveyConfig = ContactConfig & Pick<Config, 'identityKey'>;

/** Whose interview it is and who submits it: different people for an import. */
export interface SubmissionAuthor extends HasDeadline {
  owner: Types.ObjectId;
  /** When the owner's account was created. */
  ownerSince: Date;
  /** Who submits it; null for an operator's command. */
  by: Types.ObjectId | null;
  /** Whether `by` enters it for the owner. */
  isImport?: boolean;
  now: Date;
  /** The study's time zone. */
  zone: string;
  config: SurveyConfig;
  /** Throws if the submitter lacks the right. */
  mayStore(draft: SurveyRecord): void;
  /** Throws if the submitter may not know of this stored interview with the same clientId. */
  mayReplay(stored: SurveyRecord): void;
}
