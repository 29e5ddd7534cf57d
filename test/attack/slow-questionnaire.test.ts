/** A questionnaire must not be able to hold up the service for everyone. */
import mongoose from 'mongoose';
import { type Person, startWorld, type World } from '../people.ts';

let world: World;
let ada: Person;
let site: string;
beforeAll(async () => {
  world = await startWorld();
  site = await world.place();
  ada = await world.person({ role: 'ADMIN', location: site });
});
afterAll(() => world.stop());

const degree = { type: 'text', inputType: 'number', name: 'degree' };
const post = (elements: object[]) =>
  ada.post('/api/questionnaires', {
    name: 'Slow',
    definition: { pages: [{ name: 'p', elements: [degree, ...elements] }] },
    networkSizeQuestion: 'degree',
  });
const sendWord = (questionnaire: string, word: string) =>
  ada.post('/api/surveys', { location: site, questionnaire, responses: { degree: 3, word } });

test.each(['^(a|a)*$', '^((a+)b?)+$', '^a*a*a*a*a*a*$'])(
  'answers on which the pattern %s would take for ever are refused in a moment',
  async (regex) => {
    const text = { type: 'text', name: 'word', validators: [{ type: 'regex', regex, text: 'no' }] };
    const { body } = await post([text]).expect(201);
    const times: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const begin = Date.now();
      await sendWord(body.id, `${'a'.repeat(2000)}!`).expect(400);
      times.push(Date.now() - begin);
    }
    expect(Math.min(...times)).toBeLessThan(1_000);
  },
);

test('a pattern that is refused today is told with its place, and an older questionnaire that has it still takes answers', async () => {
  const text = { type: 'text', name: 'word', validators: [{ type: 'regex', regex: '^(?=a)(a|a)*$' }] };
  const { body } = await post([text]).expect(400);
  expect(body.errors).toEqual([
    {
      path: 'definition.pages.0.elements.1.validators.0.regex',
      message: expect.stringContaining('look ahead') as string,
    },
  ]);
  const { insertedId } = await mongoose.connection.collection('questionnaires').insertOne({
    name: 'Older',
    version: 1,
    definition: { pages: [{ name: 'p', elements: [degree, text] }] },
    networkSizeQuestion: 'degree',
    active: false,
    createdAt: new Date(),
    deletedAt: null,
  });
  await sendWord(insertedId.toHexString(), 'whatever').expect(201);
});

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
