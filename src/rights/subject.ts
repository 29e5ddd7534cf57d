/** A resource, declared once: `subject.ts` in its folder. What the house derives from it stands in src/subjects.ts. */
import type { Types } from 'mongoose';
import type { AnyModel } from '../db/schema-options.ts';
import type { ProblemName } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import type { Action, Subject } from './ability.ts';

/** What the history tells a record by, in place of its id. */
export interface Told {
  /** The fields that `as` reads, and those that rights ask for. */
  fields: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a record of the collection's model.
  as(record: any): {
    name?: string | null;
    code?: string | null;
    location?: unknown;
    questionnaire?: unknown;
  };
  /** The kind of record whose rights it has, where that is not its own. */
  rightsOf?: Subject;
  /** Who reads all of these may know it too, though not the record. */
  alsoWith?: Subject;
  /** Ids of the records that a coupon concerns, whose code is given as it was typed. */
  withCode?(typed: string): Promise<Types.ObjectId[]>;
}

export interface ChangesApart {
  path: string;
  as: string;
  action: Action;
}

interface Collection {
  model: AnyModel;
  told?: Told;
  /**
   * What a refusal of each unique index, by its name, means to a caller; null where the code that writes deals with it,
   * and a caller who hears of it has met a fault of the service.
   */
  unique?: Readonly<Record<string, ProblemName | null>>;
  /** The service fills it by itself: it is nobody's work, and does not stand in the way of a restore. */
  ofItself?: true;
  /** What was changed in such a record is told by the audit only to whoever may read the record. */
  changesAreGuarded?: true;
  /** Of these changes only who may do this to the record is told, who finds them with those of another field. */
  changesApart?: ChangesApart;
}

export interface SubjectDeclaration {
  /** What the documentation calls its URLs. */
  tags: readonly { name: string; description: string }[];
  collections: readonly Collection[];
  /** Loaded when the app is made: commands do without. `all` are the subjects of the house. */
  routes(all: readonly SubjectDeclaration[]): Promise<Route[]>;
  /** Sees to what the database must hold from the first day on; harmless when repeated. */
  prepare?(now: Date): Promise<void>;
}
