/** A refused query names the parameter that is wrong. */
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
let root: Person;

beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
});

test.each([
  ['/api/surveys?location=nowhere', 'location'],
  ['/api/surveys?from=2026-13-01', 'from'],
  ['/api/surveys?from=2026-02-30', 'from'],
  ['/api/surveys?from=2026-02-02&to=2026-02-01', 'to'],
  ['/api/surveys?cursor=x', 'cursor'],
  ['/api/surveys?sort=answers', 'sort'],
  ['/api/surveys?colour=red&size=3', 'colour, size'],
  ['/api/seeds?kind=WILD&limit=0', 'limit, kind'],
  ['/api/audit?subject=Weather', 'subject'],
  ['/api/recruitment/summary?from=2026-02-02&to=2026-02-01', 'to'],
  ['/api/quality?check=WRONG', 'check'],
  ['/api/analysis/estimates?outcome=none', 'outcome'],
  ['/api/analysis/estimates?outcome=location&populationSize=5&populationSizeLow=9', 'populationSize'],
  ['/api/analysis/compare?outcome=location&by=none', 'by'],
  ['/api/analysis/answers?question=location&question=none', 'question'],
  ['/api/analysis/outcomes?questionnaire=650000000000000000000000', 'questionnaire'],
  ['/api/exports/rds.csv?from=2026-02-02&to=2026-02-01', 'to'],
])('%s names what is wrong', async (path, filter) => {
  const { body, status } = await root.get(path);
  expect({ status, ...body }).toMatchObject({
    ...{ status: 400, code: 'INVALID_QUERY', reason: 'FILTER_INVALID', params: { filter } },
    message: `A query parameter is unknown or invalid: ${filter}.`,
  });
  expect(body.errors.length).toBeGreaterThan(0);
});
