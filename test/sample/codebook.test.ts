/** The statistical type of each question is determined once, when a version is stored, and kept with it. */
import mongoose from 'mongoose';
import { codebookOf } from '../../src/questionnaires/stored-codebook.ts';
import { type Person, worldOfFile } from '../people.ts';

let root: Person;

const world = worldOfFile();
beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
});

const questionnaires = () => mongoose.connection.collection('questionnaires');
const FORM = {
  name: 'Codebook',
  definition: {
    pages: [
      { elements: [{ type: 'text', inputType: 'number', name: 'networkSize' }] },
      {
        elements: [
          { type: 'boolean', name: 'agrees' },
          { type: 'radiogroup', name: 'color', choices: ['red', 'blue'] },
          { type: 'text', name: 'initials' },
          { type: 'text', name: 'birthYear' },
          { type: 'text', name: 'birthMonth' },
          { type: 'text', name: 'birthDay' },
        ],
      },
    ],
  },
  networkSizeQuestion: 'networkSize',
  takesPartIf: '{agrees} = true',
  identityQuestions: ['initials', 'birthYear', 'birthMonth', 'birthDay'],
};

test('a new version is stored with its codebook, which the API never returns', async () => {
  const { body } = await root.post('/api/questionnaires', FORM).expect(201);
  expect(body).not.toHaveProperty('codebook');
  const _id = new mongoose.Types.ObjectId(body.id as string);
  const stored = await questionnaires().findOne({ _id });
  expect(stored?.codebook).toMatchObject({
    countables: [
      { key: 'networkSize', kind: 'NUMBER' },
      { key: 'agrees', kind: 'CATEGORY' },
      { key: 'color', kind: 'CATEGORY', choices: [{ value: 'red' }, { value: 'blue' }] },
    ],
    shapes: [
      ['networkSize', {}],
      ['agrees', {}],
      ['color', { kind: 'one' }],
    ],
    asked: ['networkSize', 'agrees', 'color'],
    deciding: ['agrees'],
    sizeQuestion: { en: 'networkSize' },
  });
  for (const path of [`/api/questionnaires/${body.id}`, '/api/questionnaires'])
    expect(JSON.stringify((await root.get(path).expect(200)).body)).not.toContain('codebook');
});

test('a version stored by an earlier service gets its codebook on first use', async () => {
  const { body } = await root.post('/api/questionnaires', FORM).expect(201);
  const _id = new mongoose.Types.ObjectId(body.id as string);
  const codebook = (await questionnaires().findOne({ _id }))?.codebook;
  await questionnaires().updateOne({ _id }, { $unset: { codebook: '' } });
  expect(await codebookOf(_id)).toEqual(codebook);
  expect((await questionnaires().findOne({ _id }))?.codebook).toEqual(codebook);
});
