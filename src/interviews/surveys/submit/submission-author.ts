import type { Types } from 'mongoose';
import type { Config } from '../../../platform/config.ts';
import type { HasDeadline } from '../../../platform/rights/actor.ts';
import type { ContactStorageConfig } from '../../contacts/store.ts';
import type { SurveyRecord } from '../model.ts';

/** The settings needed to store an interview. */
export type SurveyStorageConfig = ContactStorageConfig & Pick<Config, 'identityKey'>;

/** The interview's owner and the person who submits it, who differ in an import. */
export interface SubmissionAuthor extends HasDeadline {
  owner: Types.ObjectId;
  /** When the owner's account was created. */
  ownerSince: Date;
  /** Who submits it; null for an operator's command. */
  by: Types.ObjectId | null;
  /** Whether `by` enters it on behalf of the owner. */
  isImport?: boolean;
  now: Date;
  /** The study's time zone. */
  zone: string;
  config: SurveyStorageConfig;
  /** Throws if the submitter isn't allowed to store it. */
  mayStore(draft: SurveyRecord): void;
  /** Throws if the submitter may not know about this stored interview with the same clientId. */
  mayReplay(stored: SurveyRecord): void;
}
