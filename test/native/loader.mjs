/**
 * How Node loads the project's TypeScript in tests: types become blanks, so that every line and column stays where it
 * is and neither a stack nor the coverage needs a map. What lies under test/ is loaded anew for each test file; the
 * service and the packages are loaded once in a worker, which is most of what makes a test file quick.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

const TESTS = new URL('..', import.meta.url).href;
const PROJECT = new URL('../..', import.meta.url).href;
const PACKAGES = new URL('node_modules/', PROJECT).href;

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const [, file] = /\?(file=\d+)$/.exec(context.parentURL ?? '') ?? [];
  return file && found.url.startsWith(TESTS) ? { ...found, url: `${found.url}?${file}` } : found;
}

export async function load(url, context, next) {
  const [path] = url.split('?');
  if (!path.endsWith('.ts') || !path.startsWith(PROJECT) || path.startsWith(PACKAGES))
    return next(url, context);
  const text = await readFile(fileURLToPath(path), 'utf8');
  return { format: 'module', source: transformSync(text, { mode: 'strip-only' }).code, shortCircuit: true };
}
