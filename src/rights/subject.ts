/** A resource, declared once: `subject.ts` in its folder. What the house derives from it stands in src/subjects.ts. */
import type { AnyModel } from '../db/schema-options.ts';
import type { ProblemName } from '../http/problem.ts';
import type { Route } from '../http/route.ts';

interface Collection {
  model: AnyModel;
  /**
   * What a refusal of each unique index, by its name, means to a caller; null where the code that writes deals with it,
   * and a caller who hears of it has met a fault of the service.
   */
  unique?: Readonly<Record<string, ProblemName | null>>;
  /** The service fills it by itself: it is nobody's work, and does not stand in the way of a restore. */
  ofItself?: true;
  /** What was changed in such a record is told by the audit only to whoever may read the record. */
  changesAreGuarded?: true;
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
