/**
 * The text of a file that a person made. What is not UTF-8 is refused with its line rather than guessed at: a wrong
 * guess would store wrong names. Browser-safe.
 */

export class NotUtf8 extends SyntaxError {
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is not UTF-8; save the file as “CSV UTF-8” or “Unicode (UTF-8)”`);
    this.line = line;
  }
}

/** UTF-8, or UTF-16 where the file says so itself, as spreadsheets' “Unicode text” does. */
export function textOf(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new NotUtf8(firstBadLine(bytes, encoding));
  }
}

function firstBadLine(bytes: Uint8Array, encoding: string): number {
  const [before = ''] = new TextDecoder(encoding).decode(bytes).split('\ufffd', 1);
  return before.split(/\r\n|\r|\n/).length;
}
