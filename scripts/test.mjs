/** `npm test`: makes ready what is missing, then runs Jest with all arguments passed on. */
import { spawn } from 'node:child_process';
import { ensure, ROOT } from './ensure.mjs';

try {
  await ensure({ dev: true });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// The flag: mongoose can't connect inside Jest without real ES modules.
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = spawn(process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
jest.on('close', (code) => process.exit(code ?? 1));
