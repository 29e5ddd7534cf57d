/**
 * Decodes an uploaded text file. A file that isn't UTF-8 is refused with the line number, because guessing the encoding
 * could store wrong names. Browser-safe.
 */

export class NotUtf8 extends SyntaxError {
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is not UTF-8; save the file as “CSV UTF-8” or “Unicode (UTF-8)”`);
    this.line = line;
  }
}

/** UTF-8, or UTF-16 if the file has its byte order mark, like a spreadsheet's “Unicode text”. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new NotUtf8(firstInvalidLine(bytes, encoding));
  }
}

function firstInvalidLine(bytes: Uint8Array, encoding: string): number {
  const [before = ''] = new TextDecoder(encoding).decode(bytes).split('\ufffd', 1);
  return before.split(/\r\n|\r|\n/).length;
}
