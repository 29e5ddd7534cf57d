import { execFileSync } from 'node:child_process';

/** Builds what is missing in dist/ and client-dist/, as `npm start` does: in a process, since that is plain JavaScript. */
export function ensureBuilt(): void {
  const ensure = "await (await import('./scripts/ensure.mjs')).ensure({ dev: true })";
  execFileSync(process.execPath, ['--input-type=module', '-e', ensure], { stdio: 'inherit' });
}
