/** What a newcomer's tools expect: the version of Node, the workflow, the guide for contributors. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (name: string) => readFileSync(name, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

test('developers, the workflow and the image use the same version of Node', () => {
  const version = read('.nvmrc').trim();
  expect(read('Dockerfile')).toContain(`node:${version}-`);
  expect(read('.github/workflows/check.yml')).toContain(`node:${version}-`);
});

test('the workflow runs the command that developers run, and nothing else', () => {
  const { jobs } = parse(read('.github/workflows/check.yml'));
  expect(Object.keys(jobs)).toEqual(['check']);
  expect(jobs.check.steps.flatMap(({ run }: { run?: string }) => run ?? [])).toEqual(['.ci/run']);
});

test('each command and file that the guide for contributors names exists', () => {
  const guide = read('CONTRIBUTING.md');
  const commands = [...guide.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(commands.filter((name) => !scripts[name])).toEqual([]);
  const files = [
    ...guide.matchAll(/\]\(([^)#]+)/g),
    ...guide.matchAll(/`((?:src|client|test|\.\w+)\/[^`]*)`/g),
  ];
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap(([, name = '']) => (existsSync(name) ? [] : name))).toEqual([]);
});

test('each decision record has a number of its own, which its title repeats', () => {
  const names = readdirSync('docs/decisions');
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1));
  const titles = names.map((name) => Number(/^# (\d+)\. /.exec(read(`docs/decisions/${name}`))?.[1]));
  expect(titles).toEqual(names.map((_, at) => at + 1));
});
