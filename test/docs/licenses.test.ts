/**
 * What is shipped: the service's packages, and those that the client's files are built from. Their licenses allow use
 * under BSD-3-Clause, and the bill of materials names each of them.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Permissive: they ask for a notice. OFL-1.1 is for fonts alone, which may not be sold by themselves. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]);
const FONTS = /^node_modules\/(@fontsource|@embedpdf)\//;
/** Read by a person: packages whose license is not in a form that npm reads, or with a choice that has to be made. */
const READ: Record<string, string> = {
  'node_modules/jstat': 'MIT',
  'node_modules/png-js': 'MIT',
  'node_modules/dompurify': 'Apache-2.0',
  'node_modules/@visx/vendor': 'MIT',
  'node_modules/type-fest': 'MIT',
};

interface Package {
  version: string;
  dev?: true;
  optional?: true;
  devOptional?: true;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
const { version, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  version: string;
  packages: Record<string, Package>;
};

/** Where Node finds it, from the package at `from`. */
function pathOf(name: string, from: string): string | null {
  for (
    let at = from;
    ;
    at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/')) || 0).replace(/\/$/, '')
  ) {
    const path = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (packages[path]) return path;
    if (!at) return null;
  }
}

function withDependencies(paths: (string | null)[]): Set<string> {
  const dependencyPaths = new Set<string>();
  const add = (path: string | null): void => {
    if (!path || dependencyPaths.has(path)) return;
    dependencyPaths.add(path);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) add(pathOf(name, path));
  };
  for (const path of paths) add(path);
  return dependencyPaths;
}

/** Neither for tests (`dev`) nor for building (`optional`). */
const inProduction = Object.entries(packages).flatMap(([path, { dev, optional, devOptional }]) =>
  path === '' || dev || optional || devOptional ? [] : path,
);

/** Packages that the client's sources import, with theirs. */
function clientPackages(): Set<string> {
  const files = readdirSync('client/src', { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join('client/src', file), 'utf8').matchAll(
        /(?:from|import\(?)\s*'(@[\w-]+\/[\w-]+|[a-z][\w-]*)/g,
      ),
    ])
    .flatMap(([, name]) => name ?? []);
  return withDependencies([...new Set(names)].map((name) => pathOf(name, '')));
}

const shipped = [...new Set([...inProduction, ...clientPackages()])].sort();

test('every package that is shipped has a license that allows use under BSD-3-Clause', () => {
  expect(shipped.length).toBeGreaterThan(300);
  for (const name of ['react', 'dexie', 'survey-react-ui', 'express'])
    expect(shipped).toContain(`node_modules/${name}`);
  const wrong = shipped.filter((path) => {
    const license = READ[path] ?? packages[path]?.license ?? 'none';
    return !ALLOWED.has(license) && !(license === 'OFL-1.1' && FONTS.test(path));
  });
  // To allow one: read its license, and add it above with the reason.
  expect(wrong.map((path) => `${path}: ${packages[path]?.license}`)).toEqual([]);
});

test('licenses that a person has read are still needed, and in the package', () => {
  for (const path of Object.keys(READ))
    expect([path, ALLOWED.has(packages[path]?.license ?? '')]).toEqual([path, false]);
  for (const path of ['node_modules/jstat', 'node_modules/png-js'])
    expect(readFileSync(`${path}/LICENSE`, 'utf8')).toMatch(/Permission is hereby granted, free of charge/);
});

test('the bill of materials is made without the network, and names every shipped package with its license', () => {
  const offline = { ...process.env, npm_config_offline: 'true' };
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], {
    encoding: 'utf8',
    env: offline,
    maxBuffer: 1e8,
  });
  const { bomFormat, metadata, components } = JSON.parse(text);
  expect([bomFormat, metadata.component.version]).toEqual(['CycloneDX', version]);
  const packageUrls = new Set(
    components.map(({ purl }: { purl: string }) => decodeURIComponent(purl).split('?')[0]),
  );
  const missing = shipped
    .map((path) => `pkg:npm/${path.replace(/^.*node_modules\//, '')}@${packages[path]?.version}`)
    .filter((purl) => !packageUrls.has(purl));
  expect(missing).toEqual([]);
  const licensed = components.filter(({ licenses = [] }: { licenses?: object[] }) => licenses.length > 0);
  expect(licensed.length).toBeGreaterThan(shipped.length);
}, 60_000);

test('the version is the same everywhere, and has a heading in the CHANGELOG', async () => {
  const { VERSION } = await import('../../src/platform/lib/version.ts');
  const own = JSON.parse(readFileSync('package.json', 'utf8')).version;
  expect([VERSION, version, packages['']?.version]).toEqual([own, own, own]);
  const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (.*)$/gm)].map(([, one]) => one);
  expect(headings[0]).toBe('Unreleased');
  expect(headings[1]).toMatch(new RegExp(`^${own.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`));
});
