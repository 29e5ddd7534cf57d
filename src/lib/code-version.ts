/** Tells one build of the service from another, so that nothing kept by the one is read by the other. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
let version: string | undefined;

/** A hash of the service's own code; the same in every process that runs it. Takes some 20 ms, once. */
export function codeVersion(): string {
  version ??= hashOf(ROOT);
  return version;
}

export function hashOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file))
    .sort();
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(folder, file)));
  return hash.digest('base64url');
}
