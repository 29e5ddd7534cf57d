/** Which questions everybody who takes part is asked. */
import { onPagesOfAll, pagesOf } from '../../src/questionnaires/asked-of-all.ts';
import { DEFAULT_QUESTIONNAIRE } from '../../src/questionnaires/default-questionnaire.ts';

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
const askedIn = (one: ReturnType<typeof form>) => onPagesOfAll(pagesOf(one.definition).flat(), one);

test.each([
  ["{consent} = 'yes'", ['consent', 'age']],
  ["{consent} notempty and {consent} <> 'no'", ['consent', 'age']],
  ["{children} = 'yes'", ['consent']],
  ["{consent} = 'yes' and {children} = 'yes'", ['consent']],
  ['today() > 5', ['consent']],
])('of a page that is shown if %s', (visibleIf, asked) => {
  expect(askedIn(form(visibleIf))).toEqual(asked);
});

test('any page may depend on eligibility if the questionnaire does not define it', () => {
  expect(askedIn(form("{children} = 'yes'", null))).toEqual(['consent', 'age']);
});

test('of the included questionnaire nothing is left out', () => {
  const asked = pagesOf(DEFAULT_QUESTIONNAIRE.definition).flat();
  expect(onPagesOfAll(asked, DEFAULT_QUESTIONNAIRE)).toEqual(asked);
});
