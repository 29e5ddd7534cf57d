/** Goes through the questions of a model after its answers were set and validated, and collects the errors. */
import type { PanelModelBase, Question, SurveyError, SurveyModel } from 'survey-core';
import {
  type CodedError,
  FAULTS,
  type FieldError,
  fault,
  faultWithMessage,
  fieldError,
} from '../../platform/http/problems/error-codes.ts';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import { checkAnswerComment, checkValue, innerTextQuestionsOf, nestedQuestionsIn } from './check-values.ts';

const COMMENT_SUFFIX = '-Comment';
const TOTAL_SUFFIX = '-total';

/** Questions by the key that they write. Several may share a key; it is enough if one of them is shown. */
type ByKey = Map<string, Question[]>;

function byKey(questions: Question[]): ByKey {
  const questionsByKey: ByKey = new Map();
  for (const question of questions) {
    if (!question.hasInput && question.getType() !== 'expression') continue;
    const key = question.getValueName();
    questionsByKey.set(key, [...(questionsByKey.get(key) ?? []), question]);
  }
  return questionsByKey;
}

const hasTotal = (question: Question) => (question as { hasTotal?: boolean }).hasTotal === true;

const calculatedNamesIn = (model: SurveyModel): string[] =>
  model.calculatedValues.filter((one) => one.includeIntoResult).map((one) => one.name);

/** All keys that answers to this questionnaire may have, whether their questions are shown or not. */
export function answerKeysOf(model: SurveyModel): ReadonlySet<string> {
  const keys = new Set(calculatedNamesIn(model));
  for (const [key, sharing] of byKey(model.getAllQuestions())) {
    keys.add(key);
    if (sharing.some((one) => one.hasComment || one.hasOther)) keys.add(key + COMMENT_SUFFIX);
    if (sharing.some(hasTotal)) keys.add(key + TOTAL_SUFFIX);
  }
  return keys;
}

export function checkVisibleAnswers(model: SurveyModel, responses: Record<string, unknown>): FieldError[] {
  const computed = new Set(calculatedNamesIn(model));
  const errors = checkGroup(
    model.getAllQuestions(),
    responses,
    'responses',
    model.clearInvisibleValues,
    computed,
  );
  const groups: PanelModelBase[] = [...model.pages, ...(model.getAllPanels() as unknown as PanelModelBase[])];
  for (const group of groups) {
    const first = group.questions.find((question) => question.isVisible && question.hasInput);
    if (first) errors.push(...libraryErrors(group, `responses.${first.getValueName()}`));
  }
  return errors;
}

function checkGroup(
  questions: Question[],
  answers: Record<string, unknown>,
  path: string,
  clearInvisible: unknown,
  computed: ReadonlySet<string> = new Set(),
): FieldError[] {
  const questionsByKey = byKey(questions);
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(answers)) {
    if (!computed.has(key))
      errors.push(...checkKey(questionsByKey, key, value, answers, `${path}.${key}`, clearInvisible));
  }
  for (const [key, sharing] of questionsByKey) {
    const visible = sharing.filter(isShown);
    for (const question of visible) {
      errors.push(...libraryErrors(question, `${path}.${key}`));
      for (const line of innerTextQuestionsOf(question))
        errors.push(...libraryErrors(line.editor, `${path}.${key}.${line.name}`));
      errors.push(...checkNested(question, answers[key], `${path}.${key}`, clearInvisible));
    }
  }
  return errors;
}

function checkKey(
  questionsByKey: ByKey,
  key: string,
  value: unknown,
  answers: Record<string, unknown>,
  path: string,
  clearInvisible: unknown,
): FieldError[] {
  const sharing = questionsByKey.get(key);
  if (sharing) {
    const visible = sharing.find(isShown);
    const judge = visible ?? sharing.find((question) => mayStayHidden(question, clearInvisible));
    return judge ? checkValue(judge, value, path) : [fieldError(path, 'NOT_SHOWN')];
  }
  if (key.endsWith(COMMENT_SUFFIX)) {
    const main = questionsByKey.get(key.slice(0, -COMMENT_SUFFIX.length))?.find(isShown);
    if (main && takesComment(main, answers[main.getValueName()])) return checkAnswerComment(value, path);
    if (main) return [fieldError(path, 'NO_REMARK')];
  }
  if (key.endsWith(TOTAL_SUFFIX) && questionsByKey.get(key.slice(0, -TOTAL_SUFFIX.length))?.some(hasTotal)) {
    const isSums = isPlainObject(value) && Object.values(value).every((sum) => typeof sum !== 'object');
    return isSums ? [] : [fieldError(path, 'NOT_SUMS')];
  }
  return [fieldError(path, 'NO_QUESTION')];
}

function isShown(question: Question): boolean {
  return question.isVisible && question.isParentVisible;
}

/** A questionnaire may keep the answers to questions that are hidden again; the browser then sends them. */
function mayStayHidden(question: Question, clearInvisible: unknown): boolean {
  const own = question.clearIfInvisible;
  return own === 'none' || (own === 'default' && clearInvisible === 'none');
}

function takesComment(question: Question, value: unknown): boolean {
  if (question.hasComment) return true;
  if (!question.hasOther) return false;
  const sentValues: unknown[] = Array.isArray(value) ? value : [value];
  return sentValues.includes('other');
}

function checkNested(
  question: Question,
  value: unknown,
  path: string,
  clearInvisible: unknown,
): FieldError[] {
  const nested = nestedQuestionsIn(question);
  if (!nested) return [];
  const rows = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const keys = new Set(nested.map((group) => group.key));
  const unknown = Object.keys(rows).filter((key) => !keys.has(key));
  return [
    ...unknown.map((key) => fieldError(`${path}.${key}`, 'NO_ROW')),
    ...nested.flatMap(({ key, questions }) => {
      const row = rows[key];
      return checkGroup(questions, isPlainObject(row) ? row : {}, `${path}.${key}`, clearInvisible);
    }),
  ];
}

function libraryErrors(owner: Question | PanelModelBase, path: string): FieldError[] {
  return owner.errors
    .filter((error) => error.visible && error.notificationType === 'error')
    .map((error) => ({ path, ...faultOf(error) }));
}

/** The library's "required" message is replaced by ours; other messages may come from the questionnaire. */
function faultOf(error: SurveyError): CodedError {
  const words = error.getText();
  if (words === FAULTS.ANSWER_MISSING) return fault('ANSWER_MISSING');
  return words ? faultWithMessage(words) : fault('ANSWER_UNFIT');
}
