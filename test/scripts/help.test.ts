/** Help texts of commands are shown without loading the service. */
import { readFileSync } from 'node:fs';
import { SLOW, start } from './kit.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const commands = Object.values(scripts).flatMap(
  (line) => /^exec node scripts\/run\.mjs (\S+)$/.exec(line)?.[1] ?? [],
);

/** Printed at the end of the process: which of the large packages it has loaded. */
const LOADED = `import { createRequire } from 'node:module';
process.on('exit', () => {
  const files = Object.keys(createRequire('/').cache).join('\\n');
  console.error(['mongoose', 'express', 'survey-core'].filter((name) => files.includes('/node_modules/' + name + '/')).join());
});`;
const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(LOADED)}"`;

test.each(commands)(
  '%s shows its help without loading the service',
  async (name) => {
    const { code, out, err } = await start(name, ['--help'], { NODE_OPTIONS }).ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: ');
  },
  SLOW,
);

test(
  'a running command loads the service',
  async () => {
    const { err } = await start('users', ['list'], { NODE_OPTIONS }).ended;
    expect(err).toContain('mongoose');
  },
  SLOW,
);
