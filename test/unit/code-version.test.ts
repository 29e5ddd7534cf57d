import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeVersion, hashFolder } from '../../src/platform/lib/code-version.ts';

test('changing or renaming any source file changes the code version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'code-'));
  try {
    cpSync(join(import.meta.dirname, '../../src/platform/lib'), join(folder, 'lib'), { recursive: true });
    const before = hashFolder(folder);
    expect(hashFolder(folder)).toBe(before);
    writeFileSync(join(folder, 'lib/day.ts'), 'export {};');
    const changed = hashFolder(folder);
    expect(changed).not.toBe(before);
    renameSync(join(folder, 'lib/day.ts'), join(folder, 'lib/days.ts'));
    expect(hashFolder(folder)).not.toBe(changed);
    expect(codeVersion()).toBe(codeVersion());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
