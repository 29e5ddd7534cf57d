/** Files generated or served by the service. */
import type { CodedError } from '../../../../../src/platform/http/problems/error-codes.ts';
import { type RequestOptions, requestAndRead, throwAnswerBrokeOff } from '../../../session/api.ts';

/** Drawing thousands of coupons takes a while. */
const FILE_TIMEOUT_MS = 180_000;

/** Something left out of a file: an error code, or the service's own text. */
export type FileNote = Partial<Pick<CodedError, 'code' | 'params'>> & Pick<CodedError, 'message'>;

/** A file the service generates, such as a PDF to print. `notes` is empty if nothing was left out. */
export function requestFile(path: string, body: unknown): Promise<{ file: Blob; notes: FileNote[] }> {
  return requestAndRead('POST', path, { body, timeoutMs: FILE_TIMEOUT_MS }, async (response) => ({
    file: await response.blob().catch(throwAnswerBrokeOff),
    notes: notesIn(response.headers),
  }));
}

function notesIn(headers: Headers): FileNote[] {
  const header = (name: string) => decodeURIComponent(headers.get(name) ?? '');
  const words = header('X-Print-Notes').split('\n').filter(Boolean);
  const codes = JSON.parse(header('X-Print-Note-Codes') || '[]') as FileNote[];
  return codes.length > 0
    ? codes.map((note, at) => ({ ...note, message: words[at] ?? '' }))
    : words.map((message) => ({ message }));
}

/** A data file of the study. */
export function requestDataFile(
  path: string,
  { onProgress, ...options }: Pick<RequestOptions, 'timeoutMs' | 'cancel'> & DownloadProgressOptions = {},
): Promise<Blob> {
  const settings: RequestOptions = { timeoutMs: FILE_TIMEOUT_MS, ...options, headers: { Accept: '*/*' } };
  return requestAndRead('GET', path, settings, (response) =>
    blobOf(response, onProgress).catch(throwAnswerBrokeOff),
  );
}

export interface DownloadProgressOptions {
  /** Called with the bytes received so far. */
  onProgress?(bytes: number): void;
}

async function blobOf(response: Response, onProgress: DownloadProgressOptions['onProgress']): Promise<Blob> {
  if (!onProgress || !response.body) return await response.blob();
  const reader = response.body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces);
    pieces.push(value);
    bytes += value.length;
    onProgress(bytes);
  }
}
