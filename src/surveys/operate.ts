/** The interviews of a rescue file, stored by an operator as their owner's. */
import { problem } from '../http/problem.ts';
import { NotUtf8, textOf } from '../lib/text-file.ts';
import { type UserRecord, Users } from '../users/model.ts';
import { importOne } from './import.ts';
import { heldOf, type Rescued, readRescue } from './rescue-file.ts';

export interface InterviewReport {
  clientId: string;
  heldAt: string | null;
  result: 'stored' | 'there already' | 'refused';
  survey: unknown;
  code: string | null;
  /** Why it is refused. */
  message: string | null;
  /** Coupons handed over later, which it does not hold. */
  couponsToAdd: string[];
}

export function rescueOf(bytes: Uint8Array): Rescued {
  const found = readRescue(read(bytes));
  if (found) return found;
  throw problem('MALFORMED_JSON', { message: 'This is not a rescue file, or not a whole one.' });
}

function read(bytes: Uint8Array): string {
  try {
    return textOf(bytes);
  } catch (error) {
    if (error instanceof NotUtf8) return '';
    throw error;
  }
}

/**
 * A file goes to the one who saved it, where that is or was a user here: stored as another's, its interviews would be
 * stored once more as soon as the file, or the phone, brings them as their owner's.
 */
export async function requireOwner(file: Rescued, { _id }: UserRecord): Promise<void> {
  if (!file.owner || file.owner === _id.toHexString() || !(await Users.exists({ _id: file.owner }))) return;
  const who = file.name || 'another user';
  throw problem('EDIT_CONFLICT', {
    message: `The file was saved by ${who} (${file.owner}), and its interviews are that user's: leave --owner out.`,
  });
}

interface Importing {
  owner: UserRecord;
  now: Date;
  identityKey: string;
  zone: string;
  step(done: number, total: number): void;
  unexpected(error: unknown): void;
}

/** In turn, each by itself; the same file again changes nothing. */
export async function importRescued(
  { surveys }: Rescued,
  { owner, now, zone, identityKey, step, unexpected }: Importing,
): Promise<InterviewReport[]> {
  // An operator has no account to be judged by.
  const sender = { owner: owner._id, by: null, now, zone, identityKey, mayStore: () => {} };
  const reports: InterviewReport[] = [];
  for (const [at, survey] of surveys.entries()) {
    step(at, surveys.length);
    const { clientId, status, id, code, message } = await importOne(sender, survey.body, unexpected);
    const result = id === null ? 'refused' : status === 201 ? 'stored' : 'there already';
    const couponsToAdd = id === null ? [] : survey.late;
    reports.push({ clientId, heldAt: heldOf(survey), result, survey: id, code, message, couponsToAdd });
  }
  return reports;
}
