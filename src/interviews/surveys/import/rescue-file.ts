/**
 * The file that the app saves if a phone can't send its interviews. The app, the dashboard and a command can read it.
 * Browser-safe.
 */

import { parseJsonOrNull } from '../../../platform/lib/objects/parse-json.ts';
import { isPlainObject } from '../../../platform/lib/objects/plain-object.ts';

export const RESCUE_FORMAT = 'field-survey-rescue-1';

/** Far more than a phone collects; the file is read into memory. */
export const MAX_RESCUE_BYTES = 50_000_000;

export interface RescuedSurvey {
  /** The body for POST /api/surveys. */
  body: Record<string, unknown> & { clientId: string };
  /** Printed coupons that were handed out after it was first sent; they are not in the body. */
  late: string[];
}

export interface RescueFile {
  /** The id of the user who saved it. */
  owner: string | null;
  name: string;
  savedAt: string | null;
  surveys: RescuedSurvey[];
  /** The number of unfinished interviews, which only the phone itself can continue. */
  drafts: number;
  /** The number of unreadable interviews. */
  broken: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Json = Record<string, unknown>;
const textOr = <T>(value: unknown, other: T): string | T =>
  typeof value === 'string' && value ? value : other;

/** Null if it is not a complete rescue file. */
export function parseRescueFile(text: string): RescueFile | null {
  const file = parse(text);
  if (file?.format !== RESCUE_FORMAT) return null;
  const { finished, drafts } = file;
  if (!Array.isArray(finished) || !Array.isArray(drafts)) return null;
  const surveys = finished.flatMap((row: unknown) => parseSurvey(row) ?? []);
  return {
    owner: textOr(file.owner, null),
    name: textOr(file.name, ''),
    savedAt: textOr(file.savedAt, null),
    surveys,
    drafts: drafts.length,
    broken: finished.length - surveys.length,
  };
}

function parse(text: string): Json | null {
  const value = parseJsonOrNull(text.replace(/^\ufeff/, ''));
  return isPlainObject(value) ? value : null;
}

function parseSurvey(row: unknown): RescuedSurvey | null {
  if (!isPlainObject(row) || !isPlainObject(row.body)) return null;
  const { body, late } = row;
  if (typeof body.clientId !== 'string' || !UUID.test(body.clientId)) return null;
  const codes = Array.isArray(late) ? late.filter((code) => typeof code === 'string') : [];
  return { body: { ...body, clientId: body.clientId.toLowerCase() }, late: codes };
}

/** The interview date, by the phone's clock. */
export const interviewDate = ({ body }: RescuedSurvey): string | null =>
  textOr(body.startedAt, null) ?? textOr(body.completedAt, null);
