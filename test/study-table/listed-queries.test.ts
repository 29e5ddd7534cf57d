/** The process of the study table knows every query: one that it lacks is noticed only where that process runs. */
import { readdirSync, readFileSync } from 'node:fs';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const queries = sources.flatMap((name) =>
  [...readFileSync(`src/${name}`, 'utf8').matchAll(/^export const (\w+) = createStudyTableQuery\(/gm)].map(
    ([, one]) => one ?? '',
  ),
);

test('there are queries', () => {
  expect(queries.length).toBeGreaterThan(10);
});

test.each(queries)('the process of the study table lists %s', (name) => {
  const list = readFileSync('src/table-worker.ts', 'utf8').split('serveTable([')[1];
  expect(list).toMatch(new RegExp(`^  ${name},$`, 'm'));
});
