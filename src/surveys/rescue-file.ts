/**
 * The file that the app saves when a phone can't send its interviews: read again by the app, by someone in charge on the
 * dashboard, and by the command. Browser-safe.
 */
export const RESCUE_FORMAT = 'field-survey-rescue-1';

/** Far more than a phone gathers; a file is held in memory as a whole. */
export const RESCUE_BYTES = 50_000_000;

export interface RescuedSurvey {
  /** What POST /api/surveys takes. */
  body: Record<string, unknown> & { clientId: string };
  /** Printed coupons that were handed over after it was sent for the first time: the body is without them. */
  late: string[];
}

export interface Rescued {
  /** The id of the user on whose phone it was saved. */
  owner: string | null;
  name: string;
  savedAt: string | null;
  surveys: RescuedSurvey[];
  /** Interviews that were not finished: only their own phone can go on with them. */
  drafts: number;
  /** Places where a finished interview should stand and none does. */
  broken: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOr = <T>(value: unknown, other: T): string | T =>
  typeof value === 'string' && value ? value : other;

/** Null where it is no such file, whole. */
export function readRescue(text: string): Rescued | null {
  const file = parse(text);
  if (file?.format !== RESCUE_FORMAT) return null;
  const { finished, drafts } = file;
  if (!Array.isArray(finished) || !Array.isArray(drafts)) return null;
  const surveys = finished.flatMap((row: unknown) => surveyOf(row) ?? []);
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
  try {
    const found: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(found) ? found : null;
  } catch {
    return null;
  }
}

function surveyOf(row: unknown): RescuedSurvey | null {
  if (!isObject(row) || !isObject(row.body)) return null;
  const { body, late } = row;
  if (typeof body.clientId !== 'string' || !UUID.test(body.clientId)) return null;
  const codes = Array.isArray(late) ? late.filter((code) => typeof code === 'string') : [];
  return { body: { ...body, clientId: body.clientId.toLowerCase() }, late: codes };
}

/** When it was held, as the phone's clock had it. */
export const heldOf = ({ body }: RescuedSurvey): string | null =>
  textOr(body.startedAt, null) ?? textOr(body.completedAt, null);
