/**
 * What rights are spoken in: actions, and subjects with their records. Which subjects there are is not known here: the
 * folder of each adds its own to `Records` (`declare module`), so that a misspelt field in a rule does not compile.
 */
import { type ForcedSubject, type MongoAbility, type MongoQuery, subject } from '@casl/ability';

export type Action =
  | 'create'
  | 'read'
  | 'list'
  | 'update'
  | 'delete'
  | 'reopen'
  | 'review'
  | 'import'
  | 'manage';

// biome-ignore lint/suspicious/noEmptyInterface: filled by the folders above.
export interface Records {}
export type Subject = keyof Records;
export type Tagged = { [S in Subject]: Records[S] & ForcedSubject<S> }[Subject];
export type AppAbility = MongoAbility<[Action, Subject | Tagged | 'all'], MongoQuery>;

/** Tells CASL what a plain record is. */
export const asSubject = (name: Subject, record: object): Tagged => subject(name, record) as Tagged;
