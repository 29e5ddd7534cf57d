/**
 * Sends a rescue file's interviews in batches small enough for the service, which accepts or refuses each separately.
 */

import type { RescuedSurvey } from '../../../../../src/interviews/surveys/import/rescue-file.ts';
import { RequestRefusal, request } from '../../../session/api.ts';
import type { SurveyImported } from '../../kit/data/dashboard-wire.ts';

export type ImportOutcome = SurveyImported['data'][number];
export type ImportOutcomes = ReadonlyMap<string, ImportOutcome>;

/**
 * The service accepts 100 interviews or 3 MiB. Smaller batches show progress, and lose less if the connection breaks.
 */
const MAX_INTERVIEWS = 20;
const MAX_BYTES = 1_000_000;
/** The service validates all answers before it replies. */
const TIMEOUT_MS = 90_000;
const TOO_LARGE = 413;

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** Keeps the order: recruiters' interviews usually come before those of their recruits. */
export function splitIntoImportBatches(surveys: RescuedSurvey[]): RescuedSurvey[][] {
  const parts: RescuedSurvey[][] = [];
  let room = 0;
  for (const survey of surveys) {
    const size = bytesOf(survey.body);
    const part = parts.at(-1);
    if (part && part.length < MAX_INTERVIEWS && size <= room) {
      part.push(survey);
      room -= size;
    } else {
      parts.push([survey]);
      room = MAX_BYTES - size;
    }
  }
  return parts;
}

/** Calls `onPart` after each batch. An error ends the import; batches sent before it have been reported. */
export async function sendRescued(
  owner: string,
  surveys: RescuedSurvey[],
  onPart: (outcomes: ImportOutcome[]) => void,
): Promise<void> {
  for (const part of splitIntoImportBatches(surveys)) onPart(await sendPart(owner, part));
}

async function sendPart(owner: string, part: RescuedSurvey[]): Promise<ImportOutcome[]> {
  const body = { owner, surveys: part.map((survey) => survey.body) };
  try {
    return (await request<SurveyImported>('POST', '/api/surveys/import', { body, timeoutMs: TIMEOUT_MS }))
      .data;
  } catch (error) {
    if (!(error instanceof RequestRefusal) || error.status !== TOO_LARGE) throw error;
    // A proxy may accept less than the service. A single interview that is too large doesn't hold up the others.
    if (part.length > 1) {
      const half = Math.ceil(part.length / 2);
      return [...(await sendPart(owner, part.slice(0, half))), ...(await sendPart(owner, part.slice(half)))];
    }
    const { status, code, message, params } = error;
    const refused = { status, id: null, code, message, ...(params && { params }) };
    return part.map((survey) => ({ clientId: survey.body.clientId, ...refused }));
  }
}
