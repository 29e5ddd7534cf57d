/**
 * The questions that recognize a person who was interviewed before. Their answers are never stored, so nothing may
 * depend on them: they can't be required, or used in a condition or a text. Browser-safe.
 */
import type { Model, PanelModelBase, Question } from 'survey-core';
import {
  type CodedError,
  type FieldError,
  fault,
  fieldError,
} from '../../platform/http/problems/error-codes.ts';
import { interpretingKeyOf } from './definition-references.ts';
import { findIndirectReads } from './indirect-reads.ts';
import { answerFormOf } from './question-types.ts';

/** Types with a single value that two interviewers would write down the same way. */
const ALLOWED_FORMS = ['words', 'number', 'choice', 'yes or no'];

/** Properties that name a question without braces. */
const NAMING_PROPERTIES = new Set(['choicesfromquestion', 'settoname', 'fromname', 'valuename', 'bindings']);
const IS_EXPRESSION = /expression$|If$/i;
const MAX_NAME = 100;

export function faultsInIdentityQuestions(
  model: Model,
  definition: object,
  { identityQuestions, networkSizeQuestion }: { identityQuestions: string[]; networkSizeQuestion: string },
): FieldError[] {
  const questions = model.getAllQuestions();
  const { used, unclear } = usesIn(definition, namesOf(questions, identityQuestions));
  const faults = identityQuestions.flatMap((name, index): FieldError[] => {
    const path = `identityQuestions.${index}`;
    if (identityQuestions.indexOf(name) < index) return [fieldError(path, 'CLUE_TWICE')];
    const question = questions.find((one) => one.name === name);
    if (!question || name === networkSizeQuestion || !isIdentityQuestion(question, questions))
      return [fieldError(path, 'CLUE_NO_QUESTION', { name })];
    if (isRequired(question)) return [fieldError(path, 'CLUE_REQUIRED', { name })];
    const place = used.get(name.toLowerCase());
    return place === undefined ? [] : [{ path, ...usedAt(name, place) }];
  });
  return [...faults, ...unclear];
}

const usedAt = (name: string, place: string): CodedError => fault('CLUE_USED', { name, place });

function isIdentityQuestion(question: Question, all: Question[]): boolean {
  const isAlone = all.every((one) => one === question || one.getValueName() !== question.name);
  return (
    isAlone &&
    question.getValueName() === question.name &&
    ALLOWED_FORMS.includes(answerFormOf(question) ?? '')
  );
}

function isRequired(question: Question): boolean {
  if (question.isRequired || question.requiredIf) return true;
  for (let panel = question.parent as PanelModelBase | null; panel; panel = panel.parent)
    if (panel.isRequired || panel.requiredIf) return true;
  return false;
}

/** Question names in lower case, and for each panel or page the identity questions in it. */
interface Names {
  own: Set<string>;
  around: Map<string, string[]>;
}

function namesOf(questions: Question[], identityQuestions: string[]): Names {
  const own = new Set(identityQuestions.map((name) => name.toLowerCase()));
  const around: Names['around'] = new Map();
  for (const question of questions.filter(({ name }) => own.has(name.toLowerCase())))
    for (let panel = question.parent as PanelModelBase | null; panel; panel = panel.parent) {
      const key = panel.name.toLowerCase();
      around.set(key, [...(around.get(key) ?? []), question.name.toLowerCase()]);
    }
  return { own, around };
}

/** Where each identity question is first used in an expression or text, and places where it is unclear what is read. */
function usesIn(definition: object, names: Names): { used: Map<string, string>; unclear: FieldError[] } {
  const used = new Map<string, string>();
  const unclear: FieldError[] = [];
  const visit = (value: unknown, path: string, key: string): void => {
    if (typeof value === 'string') {
      const indirect = findIndirectReads(value, IS_EXPRESSION.test(key));
      if (indirect.unclear !== null)
        unclear.push(fieldError(path, 'CLUE_INDIRECT', { name: indirect.unclear.slice(0, MAX_NAME) }));
      const around = indirect.names.flatMap((name) => names.around.get(name) ?? []);
      for (const name of [...namedIn(value, key), ...indirect.names, ...around])
        if (names.own.has(name) && !used.has(name)) used.set(name, path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [inner, child] of Object.entries(value))
        visit(child, `${path}.${inner}`, interpretingKeyOf(value, key, inner));
    }
  };
  visit(definition, 'definition', '');
  return { used, unclear };
}

/** `{list[0].name}` reads `list`, `displayValue('name')` reads `name`. */
function namedIn(text: string, key: string): string[] {
  const braced = [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => wholeName(name));
  if (IS_EXPRESSION.test(key))
    braced.push(
      ...[...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, two]) => wholeName(one ?? two ?? '')),
    );
  if (NAMING_PROPERTIES.has(key.toLowerCase())) braced.push(wholeName(text));
  return braced;
}

const wholeName = (name: string) =>
  (
    name
      .trim()
      .toLowerCase()
      .replace(/^[#$]+/, '')
      .split(/[.[]/)[0] ?? ''
  ).replace(/-comment$/, '');
