/** Rules of imported forms mean what they mean in XLSForm, blank answers and the case of letters included. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the format names an answer by ${name}

import { ExpressionRunner, Model } from 'survey-core';
import { importForm } from '../../src/questionnaires/xlsform/import/import.ts';
import { type KnownName, RuleWithoutCounterpart } from '../../src/questionnaires/xlsform/xpath/rule-scope.ts';
import {
  conditionFromXPath,
  parseXPathRule,
  writeValueExpression,
} from '../../src/questionnaires/xlsform/xpath/to-survey.ts';
import { PossibleTexts } from '../../src/questionnaires/xlsform/xpath/to-survey-text.ts';
import {
  type ExpressionNameTarget,
  expressionToXPath,
  type ReferenceScope,
} from '../../src/questionnaires/xlsform/xpath/to-xpath.ts';
import fc from '../fast-check.ts';
import { sheetsOf } from '../xlsform-file.ts';
import { type Answers, evaluateXPath, truth, type Value } from '../xpath-reference.ts';

const knownName = (kind: KnownName['kind'], more: Partial<KnownName> = {}): KnownName => ({
  kind,
  repeat: null,
  ...more,
});
const names = new Map<string, KnownName>([
  ['a', knownName('number')],
  ['b', knownName('number')],
  ['c', knownName('calculated')],
  ['q', knownName('one', { choices: new PossibleTexts(['1', '2', 'Yes', 'yes', 'no']) })],
  ['r', knownName('one', { choices: new PossibleTexts(['1', '2', 'no']) })],
  ['t', knownName('text')],
  ['child', knownName('repeat')],
  ['x', knownName('number', { repeat: 'child' })],
]);
const around = { names, self: null, repeat: null };
const targets = new Map<string, ExpressionNameTarget>(
  [...names].map(([name, { kind, repeat }]) => [
    name,
    { name, kind: kind as ExpressionNameTarget['kind'], repeat },
  ]),
);
const exported: ReferenceScope = { targets, repeat: null };

/** As the form library has the answers: none for a blank. */
function stored({ x, child: _, ...answers }: Answers) {
  const entries = Object.entries(answers).filter(([, value]) => value !== '');
  const turns = (x as readonly Value[]).map((value) => (value === '' ? {} : { x: value }));
  return { ...Object.fromEntries(entries), ...(turns.length > 0 && { child: turns }) };
}
const run = (expression: string, answers: Answers): unknown =>
  new ExpressionRunner(expression).runValues(stored(answers));
/** To twelve digits: the form library rounds sums of fractions. */
const blankless = (value: unknown) =>
  value === undefined || value === null || value === '' || Number.isNaN(value)
    ? null
    : Number(Number(value).toPrecision(12)) + 0;

const NUMBERS = ['${a}', '${b}', '${c}', '0', '1', '-2', '3'];
const leaf = fc.constantFrom(...NUMBERS);
const { number, condition } = fc.letrec<{ number: string; condition: string }>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.constantFrom('sum(${x})', 'min(${x})', 'max(${x})', 'count(${x})', 'string-length(${t})', '${q} + 1'),
    fc
      .tuple(tie('number'), fc.constantFrom('+', '-', '*', 'div', 'mod'), tie('number'))
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
    tie('number').map((one) => `-(${one})`),
    tie('number').map((one) => `int(${one})`),
    fc
      .tuple(fc.constantFrom('min', 'max'), tie('number'), tie('number'))
      .map(([f, x, y]) => `${f}(${x}, ${y})`),
    fc.tuple(tie('condition'), tie('number'), tie('number')).map(([c, x, y]) => `if(${c}, ${x}, ${y})`),
    fc.tuple(tie('number'), tie('number')).map(([x, y]) => `coalesce(${x}, ${y})`),
    fc.constantFrom('coalesce(${a}, 0)', 'number(${a})'),
  ),
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '=', '!='), tie('number'))
      .map(([left, op, right]) => `${left} ${op} ${right}`),
    fc
      .tuple(
        fc.constantFrom('${q}', '${r}', '${t}'),
        fc.constantFrom('=', '!='),
        fc.constantFrom("'Yes'", "'no'", "'NO'", '${q}', '${r}', '${t}', "''"),
      )
      .map((parts) => parts.join(' ')),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([left, op, right]) => `(${left}) ${op} (${right})`),
    tie('condition').map((one) => `not(${one})`),
    fc.constantFrom(
      '${q} < ${r}',
      '${t} >= ${q}',
      '${q} <= ${t}',
      '${q} > 1',
      '${a} < ${q}',
      'number(${q}) = ${a}',
    ),
    fc.constantFrom("${a} != ''", "${b} = ''", "selected(${q}, 'yes')"),
  ),
}));
const numberAnswer = fc.constantFrom<Value>('', '', 0, 1, 2, -3, 7);
const answers = fc.record({
  a: numberAnswer,
  b: numberAnswer,
  c: numberAnswer,
  q: fc.constantFrom('', '1', '2', 'Yes', 'yes', 'no'),
  r: fc.constantFrom('', '1', '2', 'no'),
  t: fc.constantFrom('', 'Yes', 'yes', 'no', 'No'),
  x: fc.array(numberAnswer, { maxLength: 3 }),
});
/** With the repeat itself, whose turns `count()` counts. */
const withTurns = (fields: { x: Value[] }): Answers => ({ ...fields, child: fields.x });
/** A division by 0 that stands in the rule has no counterpart. */
function imported(convert: () => string): string {
  try {
    return convert();
  } catch (error) {
    fc.pre(!(error instanceof RuleWithoutCounterpart));
    throw error;
  }
}
const RUNS = Number(process.env.RUNS ?? 400);

test('a condition holds for the same answers as in XLSForm, and so does its export', () => {
  fc.assert(
    fc.property(condition, answers, (text, own) => {
      const values = withTurns(own);
      const node = parseXPathRule(text);
      const holds = truth(evaluateXPath(node, values));
      const expression = imported(() => conditionFromXPath(node, around));
      expect([expression, Boolean(run(expression, values))]).toEqual([expression, holds]);
      const back = expressionToXPath(expression, exported);
      expect([back, truth(evaluateXPath(parseXPathRule(back), values))]).toEqual([back, holds]);
    }),
    { numRuns: RUNS },
  );
}, 120_000);

test('a blank answer differs from a number calculated from a blank, also as one branch of a choice', () => {
  const node = parseXPathRule('${a} != if(${b} = 1, ${a}, min(${a}, ${a}))');
  const expression = conditionFromXPath(node, around);
  for (const b of [1, 2]) {
    const values = { a: '', b, c: '', q: '', r: '', t: '', x: [], child: [] };
    expect([b, Boolean(run(expression, values))]).toEqual([b, b === 2]);
    expect([
      b,
      truth(evaluateXPath(parseXPathRule(expressionToXPath(expression, exported)), values)),
    ]).toEqual([b, b === 2]);
  }
});

test('an answer that is asked for beside a comparison with it is still asked for in the export', () => {
  const expression = '{a} notempty or 0 - {a} <> -2';
  const back = expressionToXPath(expression, exported);
  const values = { a: 2, b: '', c: '', q: '', r: '', t: '', x: [], child: [] };
  expect(run(expression, values)).toBe(true);
  expect([back, truth(evaluateXPath(parseXPathRule(back), values))]).toEqual([back, true]);
});

test('a value is the same as in XLSForm, blank where that has none, and so is its export', () => {
  fc.assert(
    fc.property(number, answers, (text, own) => {
      const values = withTurns(own);
      const node = parseXPathRule(text);
      const value = blankless(evaluateXPath(node, values));
      const expression = imported(() => writeValueExpression(node, around));
      const ours = blankless(run(expression, values));
      expect([expression, ours]).toEqual([expression, value]);
      const back = expressionToXPath(expression, exported);
      const again = blankless(evaluateXPath(parseXPathRule(back), values));
      expect([back, again]).toEqual([back, value]);
    }),
    { numRuns: RUNS },
  );
}, 120_000);

test.each([
  ['${a} + ${b} < 5', '{a} notempty and {b} notempty and {a} + {b} < 5'],
  ['${a} <= ${b}', '{a} notempty and {a} <= {b}'],
  ['${a} <= 5', '{a} <= 5'],
  ['${a} - 1 != 4', '{a} empty or {a} - 1 <> 4'],
  ["${a} != '' and ${a} + 1 > 2", '{a} notempty and {a} + 1 > 2'],
  ['coalesce(${a}, 0) + 1 > 2', '{a} + 1 > 2'],
  ["${t} = 'Yes'", "{t} = 'Yes' and !({t} < 'Yes' or {t} > 'Yes')"],
  ["${r} = 'no'", "{r} = 'no'"],
])('the rule %s becomes %s, and returns as it was', (rule, expression) => {
  const actual = conditionFromXPath(parseXPathRule(rule), around);
  expect(actual).toBe(expression);
  expect(conditionFromXPath(parseXPathRule(expressionToXPath(actual, exported)), around)).toBe(expression);
});

test('a constraint asks nothing of the answer itself, which is never judged while it is blank', () => {
  expect(conditionFromXPath(parseXPathRule('${a} * 2 <= ${b} + 1'), { ...around, answered: 'a' })).toBe(
    '{b} notempty and {a} * 2 <= {b} + 1',
  );
});

test('if a sum is blank, questions that require a low one are hidden, and no score is stored', () => {
  const survey = [
    'type | name | label | relevant | calculation | constraint',
    'integer | days | Days without food',
    'integer | nights | Nights outside | | | . <= ${days} + 1',
    'calculate | score | | | ${days} + ${nights}',
    'note | low | Low need | ${score} < 2',
  ];
  const { definition } = importForm(sheetsOf({ survey }));
  const scoreAndVisibility = (answers: Record<string, unknown>) => {
    const model = new Model(definition);
    model.data = answers;
    return [model.getVariable('score') ?? model.getValue('score'), model.getQuestionByName('low')?.isVisible];
  };
  expect(scoreAndVisibility({ nights: 0 })).toEqual([undefined, false]);
  expect(scoreAndVisibility({})).toEqual([undefined, false]);
  expect(scoreAndVisibility({ days: 0, nights: 0 })).toEqual([0, true]);
  expect(scoreAndVisibility({ days: 5, nights: 0 })).toEqual([5, false]);
});
