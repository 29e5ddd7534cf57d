/** An interview as text: its questions and answers, in the reader's language. */
import { makeSurvey } from '../make.ts';
import { castOfFile, uuid } from './kit.ts';

const cast = castOfFile();

const CLUES = ['nameStart', 'surnameStart', 'day', 'month'];

async function interviewOf(more: object[], responses: object, top: object = {}): Promise<string> {
  const { body } = await cast.admin
    .post('/api/questionnaires', {
      name: `Words ${uuid()}`,
      networkSizeQuestion: 'size',
      definition: { elements: [{ type: 'text', name: 'size', inputType: 'number' }, ...more] },
      ...top,
    })
    .expect(201);
  const fields = { questionnaire: body.id, responses: { size: 3, ...responses }, location: cast.site };
  return (await makeSurvey(cast.world, cast.volunteer, fields)).id;
}

const wordsOf = async (id: string, language?: string) =>
  (
    await cast.volunteer
      .get(`/api/surveys/${id}/answers${language ? `?language=${language}` : ''}`)
      .expect(200)
  ).body;

test('answers are in the requested language, without questions that were not shown', async () => {
  const housing = {
    type: 'radiogroup',
    name: 'housing',
    title: { default: 'Where?', es: '¿Dónde?' },
    choices: [{ value: 'tent', text: { default: 'A tent', es: 'Una carpa' } }],
    showRefuseItem: true,
  };
  const id = await interviewOf(
    [
      housing,
      { type: 'comment', name: 'never', visibleIf: "{housing} = 'shelter'" },
      { type: 'comment', name: 'open', title: 'More?' },
    ],
    { housing: 'tent' },
  );
  const size = { name: 'size', title: 'size', answer: '3' };
  const open = { name: 'open', title: 'More?', answer: '' };
  const english = [size, { name: 'housing', title: 'Where?', answer: 'A tent' }, open];
  expect(await wordsOf(id)).toEqual(english);
  expect(await wordsOf(id, 'ru')).toEqual(english);
  expect(await wordsOf(id, 'es')).toEqual([
    size,
    { name: 'housing', title: '¿Dónde?', answer: 'Una carpa' },
    open,
  ]);
  await cast.volunteer.get(`/api/surveys/${id}/answers?language=no%20language`).expect(400);
});

test('rating and text piping are rendered in a separate process', async () => {
  const id = await interviewOf(
    [
      { type: 'rating', name: 'rate', rateValues: [{ value: 1, text: 'Bad' }, 2] },
      { type: 'comment', name: 'why', title: 'Why {rate}?' },
    ],
    { rate: 1 },
  );
  expect(await wordsOf(id, 'es')).toEqual([
    { name: 'size', title: 'size', answer: '3' },
    { name: 'rate', title: 'rate', answer: 'Bad' },
    { name: 'why', title: 'Why Bad?', answer: '' },
  ]);
});

test('an identity question has kept: false', async () => {
  const clues = CLUES.map((name) => ({ type: 'text', name, maxLength: 10 }));
  const answers = Object.fromEntries(CLUES.map((name) => [name, 'x']));
  const id = await interviewOf(clues, answers, { identityQuestions: CLUES });
  const [, ...lines] = await wordsOf(id);
  expect(lines).toEqual(CLUES.map((name) => ({ name, title: name, answer: '', kept: false })));
});
