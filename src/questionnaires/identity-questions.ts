/**
 * The questions that recognize a person who was interviewed before. Their answers are never stored, so nothing may
 * depend on them: they can't be required, or used in a condition or a text. Browser-safe.
 */
import type { Model, PanelModelBase, Question } from 'survey-core';
import { type Fault, type FieldError, fault, fieldError } from '../http/error-codes.ts';
import { keyBelow } from './definition-references.ts';
import { answerFormOf } from './question-types.ts';

/** One value, which two people who ask the same person write down alike. */
const FORMS = ['words', 'number', 'choice', 'yes or no'];

/** A name alone, and not braces around it, says whose value is taken. */
const NAMING = new Set(['choicesfromquestion', 'settoname', 'fromname', 'valuename', 'bindings']);

export function identityFaults(
  model: Model,
  definition: object,
  { identityQuestions, networkSizeQuestion }: { identityQuestions: string[]; networkSizeQuestion: string },
): FieldError[] {
  const questions = model.getAllQuestions();
  const wanted = new Set(identityQuestions.map((name) => name.toLowerCase()));
  const used = usesIn(definition, wanted);
  return identityQuestions.flatMap((name, index): FieldError[] => {
    const path = `identityQuestions.${index}`;
    if (identityQuestions.indexOf(name) < index) return [fieldError(path, 'CLUE_TWICE')];
    const question = questions.find((one) => one.name === name);
    if (!question || name === networkSizeQuestion || !isClue(question, questions))
      return [fieldError(path, 'CLUE_NO_QUESTION', { name })];
    if (isRequired(question)) return [fieldError(path, 'CLUE_REQUIRED', { name })];
    const place = used.get(name.toLowerCase());
    return place === undefined ? [] : [{ path, ...usedAt(name, place) }];
  });
}

const usedAt = (name: string, place: string): Fault => fault('CLUE_USED', { name, place });

function isClue(question: Question, all: Question[]): boolean {
  const isAlone = all.every((one) => one === question || one.getValueName() !== question.name);
  return isAlone && question.getValueName() === question.name && FORMS.includes(answerFormOf(question) ?? '');
}

function isRequired(question: Question): boolean {
  if (question.isRequired || question.requiredIf) return true;
  for (let panel = question.parent as PanelModelBase | null; panel; panel = panel.parent)
    if (panel.isRequired || panel.requiredIf) return true;
  return false;
}

/** Where each of these names, in lower case, is read first: in an expression or in a text. */
function usesIn(definition: object, names: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown, path: string, key: string): void => {
    if (typeof value === 'string') {
      for (const name of namedIn(value, key).filter((one) => names.has(one)))
        if (!found.has(name)) found.set(name, path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [inner, child] of Object.entries(value))
        visit(child, `${path}.${inner}`, keyBelow(value, key, inner));
    }
  };
  visit(definition, 'definition', '');
  return found;
}

/** `{list[0].name}` reads `list`, `displayValue('name')` reads `name`. */
function namedIn(text: string, key: string): string[] {
  const braced = [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => wholeName(name));
  if (/expression$|If$/i.test(key))
    braced.push(
      ...[...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, two]) => wholeName(one ?? two ?? '')),
    );
  if (NAMING.has(key.toLowerCase())) braced.push(wholeName(text));
  return braced;
}

const wholeName = (name: string) =>
  (name.trim().toLowerCase().replace(/^[#$]/, '').split(/[.[]/)[0] ?? '').replace(/-comment$/, '');
