/** The declaration of a collection; src/resources.ts lists them all. */
import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { AnyModel } from '../db/schema-options.ts';
import type { ProblemByUniqueIndex } from '../http/problems/errors.ts';
import type { PermissionAction, Subject } from './ability.ts';
import type { Actor } from './actor.ts';

/** How the audit trail names a record instead of showing its id. */
export interface AuditLabel {
  /** The fields that `toName` and the permission check need. */
  fields: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a record of the collection's model.
  toName(record: any): {
    name?: string | null;
    code?: string | null;
    location?: unknown;
    questionnaire?: unknown;
    /** The interview that the record is about, to be named as well. */
    interview?: Types.ObjectId;
  };
  /** Whether only callers who may read all codes see the code. */
  // biome-ignore lint/suspicious/noExplicitAny: a record of the collection's model.
  hidesCode?(record: any): boolean;
  /** Set if the record has the permissions of another subject. */
  rightsOf?: Subject;
  /** Callers who may read all records of this subject also see the name, but not the record. */
  orReadsAll?: Subject;
  /** Ids of the records that refer to the coupon with this code, as typed by the user. */
  findByCode?(typedCode: string): Promise<Types.ObjectId[]>;
}

export interface RestrictedAuditField {
  path: string;
  shownAs: string;
  /** Changes to this path, which would reveal the field, are hidden together with their reason. */
  hiddenWith: string;
  action: PermissionAction;
}

export interface CollectionSettings {
  model: AnyModel;
  auditLabel?: AuditLabel;
  /**
   * The problem to report when a unique index (by name) refuses a write. Null if the writing code handles it itself, so
   * that reaching the caller means a bug.
   */
  unique?: ProblemByUniqueIndex;
  /** The service creates these records itself, so they don't prevent restoring a backup into the database. */
  isCreatedByService?: true;
  /** The audit trail shows changes to such a record only to callers who may read the record. */
  guardsChanges?: true;
  /** Changes to this field are shown, as changes to another field, only to callers with this right on the record. */
  restrictedField?: RestrictedAuditField;
  /** Records that the caller has seen changes to these records. */
  recordHistoryRead?(actor: Actor, records: Types.ObjectId[], log: Logger): Promise<void>;
}
