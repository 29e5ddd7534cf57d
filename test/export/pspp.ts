/** Whether PSPP is installed; a test that needs it says so if not. */
import { execFileSync } from 'node:child_process';

export const hasPspp = (() => {
  try {
    execFileSync('pspp', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!hasPspp) process.stderr.write('pspp is not installed: what SPSS makes of the syntax is not tested.\n');
