/** For an operator's command: stores the interviews of a rescue file under their owner. */
import { problem } from '../../../platform/http/problems/problem.ts';
import type { AgeKeyPair } from '../../../platform/lib/age/identity.ts';
import { decodeText, NotUtf8 } from '../../../platform/lib/text/decode-text.ts';
import { UserModel, type UserRecord } from '../../../study/users/model.ts';
import type { SurveyStorageConfig } from '../submit/submission-author.ts';
import { importInterview } from './import.ts';
import { interviewDate, parseRescueFile, type RescueFile } from './rescue-file.ts';

export interface RescuedInterviewResult {
  clientId: string;
  heldAt: string | null;
  result: 'stored' | 'there already' | 'refused';
  survey: unknown;
  code: string | null;
  /** Why it was refused. */
  message: string | null;
  /** Coupons that were handed out later and must be added by hand. */
  couponsToAdd: string[];
}

export function requireRescueFile(bytes: Uint8Array): RescueFile {
  const file = parseRescueFile(decode(bytes));
  if (file) return file;
  throw problem('MALFORMED_JSON', { message: 'This is not a rescue file, or it is incomplete.' });
}

function decode(bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof NotUtf8) return '';
    throw error;
  }
}

/**
 * If the person who saved the file is or was a user here, it must belong to `owner`: otherwise its interviews would be
 * stored twice once they arrive from the phone.
 */
export async function requireRescueFileOwner(file: RescueFile, { _id }: UserRecord): Promise<void> {
  if (!file.owner || file.owner === _id.toHexString() || !(await UserModel.exists({ _id: file.owner })))
    return;
  const who = file.name || 'another user';
  throw problem('EDIT_CONFLICT', {
    message: `The file was saved by ${who} (${file.owner}), and its interviews belong to that user: leave --owner out.`,
  });
}

interface ImportOptions {
  owner: UserRecord;
  now: Date;
  config: SurveyStorageConfig;
  /** For interviews that the phone encrypted. */
  fieldKeys: AgeKeyPair[];
  zone: string;
  step(processedCount: number, total: number): void;
  unexpected(error: unknown): void;
}

/** Stores the interviews in order, each separately. Importing the same file again changes nothing. */
export async function importRescuedInterviews(
  { surveys }: RescueFile,
  { owner, now, zone, config, fieldKeys, step, unexpected }: ImportOptions,
): Promise<RescuedInterviewResult[]> {
  // Operators have no account, so there are no permissions to check.
  const sender = {
    owner: owner._id,
    ownerSince: owner.createdAt,
    by: null,
    isImport: true,
    now,
    zone,
    config,
    mayStore: () => {},
    mayReplay: () => {},
  };
  const reports: RescuedInterviewResult[] = [];
  for (const [at, survey] of surveys.entries()) {
    step(at, surveys.length);
    const { clientId, status, id, code, message } = await importInterview(sender, survey.body, {
      fieldKeys,
      unexpected,
    });
    const result = id === null ? 'refused' : status === 201 ? 'stored' : 'there already';
    const couponsToAdd = id === null ? [] : survey.late;
    reports.push({
      clientId,
      heldAt: interviewDate(survey),
      result,
      survey: id,
      code,
      message,
      couponsToAdd,
    });
  }
  return reports;
}
