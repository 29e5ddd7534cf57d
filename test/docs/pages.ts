/** The documentation: the README, the change log, the security policy and all of docs/. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Vitest runs in the root folder. */
export const ROOT = resolve('.');

export interface Page {
  /** The path from the root, like docs/data.md. */
  name: string;
  text: string;
}

export function read(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

export function pages(): Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...docs.sort()].map((name) => ({
    name,
    text: read(name),
  }));
}

/** A page without code blocks, in which links do not count. */
export const prose = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');
