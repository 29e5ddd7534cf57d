/**
 * Decrypts what a phone has encrypted for the study's key. The encrypted part names its interview and its interviewer,
 * so that nobody can send one in place of another.
 */
import type { Types } from 'mongoose';
import { MAX_BODY_BYTES, parseJsonBytes, requireStorable } from '../../../platform/http/bodies/body.ts';
import { bodyTooLargeProblem } from '../../../platform/http/bodies/receive-body.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { zodMessage } from '../../../platform/http/problems/zod-messages.ts';
import { fieldErrors } from '../../../platform/http/route.ts';
import type { AgeKeyPair } from '../../../platform/lib/age/identity.ts';
import { AgeFileError, decryptAgeFile } from '../../../platform/lib/age/open-file.ts';
import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';
import { SurveyCreate, type SurveySubmission } from '../schema.ts';

export interface ReceivedSealedInterview {
  sealed: string;
  clientId: string;
  owner: Types.ObjectId;
}

type Fields = Record<string, unknown>;

const notSealedProblem = () => invalidFieldProblem('sealed', 'NOT_SEALED');

/** Throws 400, 413, and 503 for an unknown key. */
export function openSealedSubmission(
  { sealed, clientId, owner }: ReceivedSealedInterview,
  keys: readonly AgeKeyPair[],
): Fields {
  const opened = parse(decryptSealed(decodeBase64(sealed), keys));
  if (!isPlainObject(opened)) throw notSealedProblem();
  const { clientId: sealedId, owner: sealedOwner, ...fields } = opened;
  const isOfInterview = typeof sealedId === 'string' && sealedId.toLowerCase() === clientId;
  if (!isOfInterview || sealedOwner !== owner.toHexString()) throw notSealedProblem();
  return fields;
}

/** Accepts only canonical base64, because Node's decoder skips unknown characters. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw notSealedProblem();
  return bytes;
}

function decryptSealed(file: Buffer, keys: readonly AgeKeyPair[]): Buffer {
  try {
    return decryptAgeFile(file, keys);
  } catch (error) {
    if (!(error instanceof AgeFileError)) throw error;
    // The phone keeps the interview and encrypts it again.
    if (error.reason === 'OTHER_KEY') throw problem('UNAVAILABLE', { why: fault('FIELD_KEY_UNKNOWN') });
    throw notSealedProblem();
  }
}

function parse(bytes: Buffer): unknown {
  if (bytes.length > MAX_BODY_BYTES) throw bodyTooLargeProblem(MAX_BODY_BYTES);
  try {
    return parseJsonBytes(bytes);
  } catch {
    throw notSealedProblem();
  }
}

/** The submission with the decrypted fields, validated as if it had been sent in plaintext. */
export function openSubmission(
  { sealed, ...clear }: SurveySubmission,
  owner: Types.ObjectId,
  keys: readonly AgeKeyPair[],
): SurveyCreate {
  if (sealed === undefined) return clear as SurveyCreate;
  const { responses, coordinates, note, contact, incentive } = openSealedSubmission(
    { sealed, clientId: clear.clientId ?? '', owner },
    keys,
  );
  const paid = clear.incentive && isPlainObject(incentive) ? { reference: incentive.reference } : {};
  const submission = {
    ...clear,
    // Already parsed to dates, but the schema expects texts.
    ...(clear.startedAt && { startedAt: clear.startedAt.toISOString() }),
    ...(clear.completedAt && { completedAt: clear.completedAt.toISOString() }),
    ...{ responses, coordinates, note, contact },
    ...(clear.incentive && { incentive: { ...clear.incentive, ...paid } }),
  };
  requireStorable(submission);
  const parsed = SurveyCreate.safeParse(submission, { error: zodMessage });
  if (!parsed.success) throw problem('VALIDATION_ERROR', { errors: fieldErrors(parsed.error) });
  return parsed.data;
}
