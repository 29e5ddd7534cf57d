/** Literal paths beside paths with a parameter: `/api/questionnaires/active` is not `/api/questionnaires/:id`. */
import { apiRoutes } from '../../src/routes.ts';
import { type Person, worldOfFile } from '../people.ts';

let root: Person;
const world = worldOfFile();
beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
});

const parts = (path: string) => path.split('/');
const covers = (pattern: string, path: string) =>
  pattern !== path &&
  parts(pattern).length === parts(path).length &&
  parts(pattern).every((part, at) => part.startsWith(':') || part === parts(path)[at]);

const paths = [...new Set(apiRoutes.map(({ path }) => path))];
const pairs = paths.flatMap((literal) =>
  paths.filter((pattern) => covers(pattern, literal)).map((pattern): [string, string] => [literal, pattern]),
);

test('the routes include overlapping pairs', () => {
  expect(pairs).toContainEqual(['/api/questionnaires/active', '/api/questionnaires/:id']);
});

test.each(pairs)('%s beside %s: a method that only the other has is 405 with Allow', async (literal) => {
  const methods = apiRoutes.filter(({ path }) => path === literal).map(({ method }) => method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
  for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
    if (methods.includes(method.toUpperCase())) continue;
    const answer = await root[method](literal, method === 'get' || method === 'delete' ? undefined : {});
    expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
  }
});
