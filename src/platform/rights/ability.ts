/**
 * The types of rights: actions, and subjects with their records. `src/access/rules/abilities.ts` declares each
 * subject's record in `Records` (`declare module`).
 */
import { type ForcedSubject, type MongoAbility, type MongoQuery, subject } from '@casl/ability';

/** In the order of the roles page. */
export const ACTIONS = [
  'manage',
  'create',
  'list',
  'read',
  'update',
  'delete',
  'reopen',
  'review',
  'import',
  'erase',
  'pay',
  'withdraw',
  'signIn',
] as const;
export type PermissionAction = (typeof ACTIONS)[number];

// biome-ignore lint/suspicious/noEmptyInterface: filled by the folders above.
export interface RecordsBySubject {}
export type Subject = keyof RecordsBySubject;
export type SubjectRecord = { [S in Subject]: RecordsBySubject[S] & ForcedSubject<S> }[Subject];
export type AppAbility = MongoAbility<[PermissionAction, Subject | SubjectRecord | 'all'], MongoQuery>;

/** Tells CASL what a plain record is. The record itself is not tagged. */
export const asSubject = (name: Subject, record: object): SubjectRecord =>
  subject(name, { ...record }) as SubjectRecord;
