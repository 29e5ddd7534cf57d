/**
 * Completes package-lock.json: `npm install` behind an incomplete package mirror leaves out the packages for other
 * platforms that the mirror lacks, without a word, and `npm ci` then refuses the lock. Run it after each change of the
 * dependencies. The added entries carry no integrity hash, because nobody has seen the packages.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const PLATFORM =
  /(?:^|[-/])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(arm64|arm|x64|ia32|loong64|mips64el|ppc64|riscv64|s390x)(?:-?(gnu|musl|gnueabihf|musleabihf|msvc|eabi))?$/;

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const all = lock.packages;
let added = 0;

for (const [at, pkg] of Object.entries(all)) {
  for (const [name, version] of Object.entries(at ? (pkg.optionalDependencies ?? {}) : {})) {
    const match = PLATFORM.exec(name);
    if (!match || !/^\d/.test(version) || isLocked(at, name)) continue;
    const [, os, cpu, abi] = match;
    all[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(pkg.dev ? { dev: true } : {}),
      ...(os === 'linux' && abi ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {}),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}

lock.packages = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${FILE}: ${added} entries added`);

/** Whether a package at this place finds the name in its own node_modules or in one further up. */
function isLocked(at, name) {
  for (let place = at; ; place = place.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (all[`${place && `${place}/`}node_modules/${name}`]) return true;
    if (!place) return false;
  }
}
