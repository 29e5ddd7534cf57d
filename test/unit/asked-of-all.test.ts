/** Which questions all participants are asked. */
import {
  questionKeysAskedOfAll,
  questionKeysByPage,
} from '../../src/questionnaires/codebook/asked-of-all.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/shipped/default-questionnaire.ts';

const text = (name: string) => ({ type: 'text', name });
const form = (visibleIf: string, takesPartIf: string | null = "{consent} = 'yes'") => ({
  takesPartIf,
  definition: {
    pages: [
      { name: 'first', elements: [text('consent')] },
      { name: 'second', visibleIf, elements: [text('age'), { ...text('why'), visibleIf: '{age} > 20' }] },
    ],
  },
});
const askedIn = (one: ReturnType<typeof form>) =>
  questionKeysAskedOfAll(questionKeysByPage(one.definition).flat(), one);

test.each([
  ["{consent} = 'yes'", ['consent', 'age']],
  ["{consent} notempty and {consent} <> 'no'", ['consent', 'age']],
  ["{children} = 'yes'", ['consent']],
  ["{consent} = 'yes' and {children} = 'yes'", ['consent']],
  ['today() > 5', ['consent']],
])(
  'includes questions of a page shown if %s only when everyone who takes part sees it',
  (visibleIf, expected) => {
    expect(askedIn(form(visibleIf))).toEqual(expected);
  },
);

test('includes conditional pages if the questionnaire does not define eligibility', () => {
  expect(askedIn(form("{children} = 'yes'", null))).toEqual(['consent', 'age']);
});

test('includes all questions of the default questionnaire', () => {
  const names = questionKeysByPage(DEFAULT_QUESTIONNAIRE.definition).flat();
  expect(questionKeysAskedOfAll(names, DEFAULT_QUESTIONNAIRE)).toEqual(names);
});
