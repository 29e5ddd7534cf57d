/** What the page of a questionnaire version shows: its questions, changes to them, and lines with errors. */
import { compareDefinitions } from '../../client/src/dashboard/questionnaires/questionnaire-diff.ts';
import { readCondition } from '../../client/src/dashboard/questionnaires/questionnaire-logic.ts';
import {
  asksSomething,
  definitionLanguagesOf,
  questionsOf,
} from '../../client/src/dashboard/questionnaires/questionnaire-outline.ts';
import { twoPages } from '../two-pages.ts';

test('a comparison lists what was added, removed and changed, down to choices and languages', () => {
  const before = twoPages();
  const after = structuredClone(before);
  const [first, second] = after.pages;
  if (!first || !second) throw new Error('no pages');
  first.elements[0] = {
    ...first.elements[0],
    title: { default: 'Do you agree?', es: '¿Está de acuerdo?' },
    choices: ['yes', 'no', 'later'],
  };
  first.elements.push({ type: 'text', name: 'why' });
  second.visibleIf = "{agrees} <> 'no'";
  const { changes, unchanged } = compareDefinitions(before, after);
  expect(changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'changed agrees',
    'added why',
    'changed known',
  ]);
  expect(changes[0]?.differences).toEqual([
    { aspect: 'title', of: 'es', before: '¿Acepta?', after: '¿Está de acuerdo?' },
    { aspect: 'choices', of: 'later', before: null, after: 'later' },
  ]);
  expect(changes[2]?.differences).toEqual([
    { aspect: 'logic', of: 'p2.visibleIf', before: "{agrees} = 'yes'", after: "{agrees} <> 'no'" },
  ]);
  expect(unchanged).toBe(0);
  expect(compareDefinitions(after, before).changes.map(({ kind, name }) => `${kind} ${name}`)).toContain(
    'removed why',
  );
  expect(compareDefinitions(before, before)).toEqual({
    changes: [],
    unchanged: 2,
    reordered: false,
    settings: [],
  });
});

test('simple conditions are parsed into clauses; others are not', () => {
  expect(readCondition("{consent} = 'yes' and {age} >= 18")).toEqual({
    join: 'and',
    clauses: [
      { question: 'consent', operator: 'equal', values: ['yes'] },
      { question: 'age', operator: 'greaterorequal', values: ['18'] },
    ],
  });
  expect(readCondition("{kind} anyof ['a and b', 'c'] or {why} notempty")).toEqual({
    join: 'or',
    clauses: [
      { question: 'kind', operator: 'anyof', values: ['a and b', 'c'] },
      { question: 'why', operator: 'notempty', values: [] },
    ],
  });
  for (const text of [
    '({a} = 1)',
    '{a} + {b} = 2',
    'age({a}) > 1',
    "{a} = 1 and {b} = 2 or {c} = 'x'",
    'x',
    '',
  ])
    expect(readCondition(text)).toBeNull();
});

test('text elements are not counted as questions, and each language is listed once', () => {
  const definition = twoPages();
  definition.pages[0]?.elements.push(
    { type: 'html', name: 'thanks', html: 'Thank you.' },
    { type: 'expression', name: 'sum', expression: '1 + 1' },
  );
  const questions = questionsOf(definition);
  expect(questions.map(({ name }) => name)).toEqual(['agrees', 'thanks', 'sum', 'known']);
  expect(questions.filter(asksSomething).map(({ name }) => name)).toEqual(['agrees', 'known']);
  expect(definitionLanguagesOf(definition)).toEqual(['en', 'es']);
});
