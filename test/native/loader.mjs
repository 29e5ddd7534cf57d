/**
 * How Node loads the project's TypeScript in tests: types become blanks, so that every line and column stays where it
 * is and neither a stack nor the coverage needs a map. What lies under test/ is loaded anew for each test file; the
 * service and the packages are loaded once in a worker, which is most of what makes a test file quick. Processes and
 * threads that the service starts are those of the built service where it fits the sources: a third of the time.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

const TESTS = new URL('..', import.meta.url).href;
const PROJECT = new URL('../..', import.meta.url).href;
const PACKAGES = new URL('node_modules/', PROJECT).href;
const SOURCES = new URL('src/', PROJECT).href;
const BUILT = new URL('dist/src/', PROJECT).href;

let isBuilt = false;
export function initialize(data) {
  ({ isBuilt } = data);
}

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
  const { code } = transformSync(text, { mode: 'strip-only' });
  const source =
    isBuilt && path.startsWith(SOURCES) ? code.replace(WORKERS, `from: '${builtOf(path)}'`) : code;
  return { format: 'module', source, shortCircuit: true };
}

/** Where a module says that its workers lie beside it. */
const WORKERS = 'from: import.meta.url';
const builtOf = (path) => BUILT + path.slice(SOURCES.length).replace(/ts$/, 'js');
