/** A questionnaire must not be able to hold up the service for everyone. */
import { type Person, startWorld, type World } from '../people.ts';

let world: World;
let ada: Person;
beforeAll(async () => {
  world = await startWorld();
  ada = await world.person({ role: 'ADMIN', location: await world.place() });
});
afterAll(() => world.stop());

const degree = { type: 'text', inputType: 'number', name: 'degree' };
const post = (elements: object[]) =>
  ada.post('/api/questionnaires', {
    name: 'Slow',
    definition: { pages: [{ name: 'p', elements: [degree, ...elements] }] },
    networkSizeQuestion: 'degree',
  });

test.each(['^(a|a)*$', '^(\\w|\\d)+$', '^a*a*a*a*a*a*$'])(
  'answers on which the pattern %s takes for ever are refused within seconds',
  async (regex) => {
    const text = { type: 'text', name: 'word', validators: [{ type: 'regex', regex, text: 'no' }] };
    const { status, body } = await post([text]);
    // The pattern may be refused outright; where it is not, its use has an end.
    if (status === 400) return;
    const begin = Date.now();
    const { body: refused } = await ada
      .post('/api/surveys', {
        location: (await world.anonymous.get('/api/locations')).body.data[0].id,
        questionnaire: body.id,
        responses: { degree: 3, word: `${'a'.repeat(2000)}!` },
      })
      .expect(400);
    expect(refused.code).toBe('VALIDATION_ERROR');
    expect(Date.now() - begin).toBeLessThan(5_000);
  },
);

test('a questionnaire that unfolds into millions of questions is refused within seconds', async () => {
  const nest = (depth: number): object =>
    depth === 0
      ? { type: 'text', name: 'leaf' }
      : { type: 'paneldynamic', name: `d${depth}`, panelCount: 100, templateElements: [nest(depth - 1)] };
  const begin = Date.now();
  const { body } = await post([nest(4)]).expect(400);
  expect(body.code).toBe('VALIDATION_ERROR');
  expect(Date.now() - begin).toBeLessThan(10_000);
});
