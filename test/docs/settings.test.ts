import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, read } from './pages.ts';
import { variablesRead } from './settings.ts';

/** `NAME=value`, or `# NAME=value` for a default. */
const variablesShown = () =>
  [...read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map((match) => match[1] ?? '').sort();

describe('the settings', () => {
  it('are each once in .env.example, which has nothing else', () => {
    expect(variablesRead()).toContain('MONGO_URI');
    expect(variablesShown()).toEqual(variablesRead());
  });

  it('mentioned in the README exist', () => {
    const table = read('README.md').split('## Settings')[1]?.split('\n## ')[0] ?? '';
    const names = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap((row) =>
      [...(row[1] ?? '').matchAll(/`([A-Z][A-Z_]+)`/g)].map((match) => match[1] ?? ''),
    );
    expect(names).toContain('MONGO_URI');
    expect(names.filter((name) => !variablesRead().includes(name))).toEqual([]);
  });

  it('are read only in src/platform/config.ts', () => {
    const readers = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== 'config.ts')
      .filter((name) => {
        const text = readFileSync(join(ROOT, 'src', name), 'utf8');
        const settings = variablesRead().filter((one) => one !== 'NODE_ENV');
        return settings.some((one) => text.includes(`process.env.${one}`));
      });
    expect(readers).toEqual([]);
  });
});
