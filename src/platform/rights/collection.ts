/** The declaration of a collection: src/resources.ts has all of them. */
import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { AnyModel } from '../db/schema-options.ts';
import type { IndexProblems } from '../http/problems/errors.ts';
import type { Action, Subject } from './ability.ts';
import type { Actor } from './actor.ts';

/** How the audit trail names a record in place of its id. */
export interface AuditLabel {
  /** The fields that `toName` and the check of rights need. */
  fields: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a record of the collection's model.
  toName(record: any): {
    name?: string | null;
    code?: string | null;
    location?: unknown;
    questionnaire?: unknown;
    /** Of a record about an interview, which is then named too. */
    interview?: Types.ObjectId;
  };
  /** Whether the code is only for callers who may read all codes. */
  // biome-ignore lint/suspicious/noExplicitAny: a record of the collection's model.
  hidesCode?(record: any): boolean;
  /** Set if the record follows the rights of another subject. */
  rightsOf?: Subject;
  /** Callers who may read all records of this subject may also see the name, though not the record. */
  orReadsAll?: Subject;
  /** Ids of the records that refer to the coupon with this code, as typed by the user. */
  findByCode?(typedCode: string): Promise<Types.ObjectId[]>;
}

export interface RestrictedField {
  path: string;
  shownAs: string;
  /** Changes under this path, which reveal the field, are hidden with their reason. */
  hiddenWith: string;
  action: Action;
}

export interface Collection {
  model: AnyModel;
  auditLabel?: AuditLabel;
  /**
   * The problem to report when a unique index, by its name, refuses a write; null if the code that writes handles it
   * itself, so that an error which reaches the caller is a bug.
   */
  unique?: IndexProblems;
  /** The service creates its records itself, so they don't keep a backup from being restored into the database. */
  isCreatedByService?: true;
  /** The audit trail shows changes of such a record only to callers who may read the record. */
  guardsChanges?: true;
  /** Changes of this field are shown, as changes of another field, only to callers with this right on the record. */
  restrictedField?: RestrictedField;
  /** Records that the caller was shown changes of these records. */
  recordHistoryRead?(actor: Actor, records: Types.ObjectId[], log: Logger): Promise<void>;
}
