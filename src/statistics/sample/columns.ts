/** An outcome of the sample, from the columns of the study table. Each distinct answer is decoded once. */
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import type { CountableQuestion } from '../../questionnaires/codebook/countable.ts';
import {
  compileExpression,
  namesRead,
  UnusableExpression,
} from '../../questionnaires/definition/eligibility.ts';
import { choiceValueOf } from '../../questionnaires/definition/question-types.ts';
import { expressionWithRenamedValues } from '../../questionnaires/renamed-values.ts';
import { byCodePoint, type OutcomeAnswers } from '../estimators/outcome.ts';
import { ERASED_BIT, type InterviewColumnStore } from '../study-table/interviews.ts';
import type { QuestionnaireVersion } from '../study-table/versions.ts';
import type { OutcomeSource, OutcomeSpec } from './catalog.ts';
import type { SampledQuestionnaireVersions } from './versions.ts';

export interface OutcomeColumnInput {
  interviews: InterviewColumnStore;
  versions: SampledQuestionnaireVersions;
  /** Only answers to the leading version count; others are treated as missing. */
  alone: boolean;
}

export interface OutcomeColumn {
  spec: OutcomeSpec;
  outcome: OutcomeAnswers;
  /** Versions in these rows in which the question with this name has a different kind. */
  differing: QuestionnaireVersion[];
  /** Ids of the versions that ask it, the leading one first. */
  asking: string[];
  /** Number of rows whose version does not ask it. */
  notAsked: number;
}

/** `rows`: row numbers in the table. */
export function columnOf(spec: OutcomeSpec, rows: Int32Array, reading: OutcomeColumnInput): OutcomeColumn {
  const { source, kind } = spec;
  const reader = readerOf(source, kind, reading);
  const outcome = kind === 'CATEGORY' ? levelsOf(rows, reader) : numbersOf(rows, reader);
  const { included: askedVersions } = reading.versions;
  return {
    ...{ spec, outcome },
    differing: versionsOfOtherKind(source, kind, versionsOf(rows, reading)),
    asking: askedVersions.filter((version) => reader.isAskedIn(version)).map(({ id }) => id),
    notAsked: countNotAsked(rows, reader, reading),
  };
}

function countNotAsked(rows: Int32Array, { isAskedIn }: Reader, reading: OutcomeColumnInput): number {
  const { codes, values } = reading.interviews.version;
  const isAsked = values.map((id) => {
    const version = versionIn(reading, id);
    return version !== null && isAskedIn(version);
  });
  let count = 0;
  for (const row of rows) if (!isAsked[codes[row]!]) count++;
  return count;
}

/** Null if the version does not count. */
function versionIn({ versions, alone }: OutcomeColumnInput, id: string): QuestionnaireVersion | null {
  return alone && id !== versions.leading?.id ? null : versions.get(id);
}

/** The versions that occur in the rows, without those that do not count. */
function versionsOf(rows: Int32Array, reading: OutcomeColumnInput): QuestionnaireVersion[] {
  const { codes, values } = reading.interviews.version;
  const present = new Set<number>();
  for (const row of rows) present.add(codes[row]!);
  return [...present].flatMap((code) => versionIn(reading, values[code]!) ?? []);
}

function versionsOfOtherKind(
  source: OutcomeSource,
  kind: OutcomeSpec['kind'],
  present: readonly QuestionnaireVersion[],
): QuestionnaireVersion[] {
  if (source.from !== 'ANSWER') return [];
  const expectedKind = questionKindOfOutcome(source, kind);
  return present.filter(({ countables }) => {
    const countable = countables.get(source.key);
    return countable !== undefined && countable.kind !== expectedKind;
  });
}

/** The kind of the question behind an outcome. */
export const questionKindOfOutcome = ({ choice }: { choice: string | null }, kind: OutcomeSpec['kind']) =>
  choice === null ? kind : 'SEVERAL';

/** A level or a number, as stored; null if missing. */
type Value = string | number | boolean | null;

interface Reader {
  /** Rows with the same value have the same key. */
  keyOf(row: number): number;
  /** The value for a key. */
  valueOf(key: number): Value;
  /** Whether people interviewed with this version were asked. */
  isAskedIn(version: QuestionnaireVersion): boolean;
}

const NOTHING: Reader = { keyOf: () => 0, valueOf: () => null, isAskedIn: () => false };

function readerOf(source: OutcomeSource, kind: OutcomeSpec['kind'], reading: OutcomeColumnInput): Reader {
  switch (source.from) {
    case 'LOCATION': {
      const { site } = reading.interviews;
      return { keyOf: (row) => site.codes[row]!, valueOf: (key) => site.values[key]!, isAskedIn: () => true };
    }
    case 'COMPUTED':
      return computedReader(source.expression, kind, reading);
    case 'ANSWER':
      return answerReader(source, kind, reading);
  }
}

type AnswerSource = Extract<OutcomeSource, { from: 'ANSWER' }>;

function answerReader(source: AnswerSource, kind: OutcomeSpec['kind'], reading: OutcomeColumnInput): Reader {
  const { interviews } = reading;
  const expectedKind = questionKindOfOutcome(source, kind);
  const isAskedIn = ({ countables }: QuestionnaireVersion) => {
    const countable = countables.get(source.key);
    const isOffered =
      source.choice === null || countable?.choices.some(({ value }) => value === source.choice) === true;
    return countable?.kind === expectedKind && isOffered;
  };
  const column = interviews.answers.get(source.key);
  if (!column) return { ...NOTHING, isAskedIn };
  const { version } = interviews;
  const readers = version.values.map((id) => {
    const countable = versionIn(reading, id)?.countables.get(source.key);
    if (countable?.kind !== expectedKind) return () => null;
    if (source.choice !== null) return isChosen(source.choice, countable);
    return kind === 'NUMBER' ? countedNumber : offeredChoiceReader(countable);
  });
  const width = column.values.length;
  return {
    keyOf: (row) => version.codes[row]! * width + column.codes[row]!,
    valueOf: (key) => readers[Math.floor(key / width)]!(column.values[key % width]),
    isAskedIn,
  };
}

/** A choice with a comment is stored as `{ value, comment }`. */
const plain = (answer: unknown): unknown => (isPlainObject(answer) ? answer.value : answer);
const isCell = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const countedNumber = (answer: unknown) => numberOf(plain(answer));

type Choices = Pick<CountableQuestion, 'choices' | 'missing' | 'property'>;

/** Only the choices offered by the questionnaire: free text could reveal who someone is. */
function offeredChoiceReader({ choices, missing }: Choices): (answer: unknown) => Value {
  const offered = new Set(choices.map(({ value }) => value));
  const other = offered.has('other') ? 'other' : null;
  return (answer) => {
    const value = plain(answer);
    if (!isCell(value) || value === '' || missing.includes(String(value))) return null;
    return offered.has(String(value)) ? value : other;
  };
}

/** Null if unknown: no answer, or one that counts as missing. */
function offeredChoicesReader(question: Choices): (answer: unknown) => Value[] | null {
  const one = offeredChoiceReader(question);
  const { missing, property } = question;
  return (answer) => {
    if (!Array.isArray(answer) || answer.length === 0) return null;
    const items = answer.map((item: unknown) => choiceValueOf(item, property));
    if (items.some((item) => missing.includes(String(plain(item))))) return null;
    return items.map(one).filter((value) => value !== null);
  };
}

/** If this version does not offer the choice, the value is missing. */
function isChosen(choice: string, question: Choices): (answer: unknown) => Value {
  if (!question.choices.some(({ value }) => value === choice)) return () => null;
  const some = offeredChoicesReader(question);
  return (answer) => {
    const values = some(answer);
    return values && (values.some((value) => String(value) === choice) ? '1' : '0');
  };
}

/** The answer passed to an expression: the same value that the question's own outcome counts. */
function countedAnswer(countable: CountableQuestion | undefined): (answer: unknown) => unknown {
  switch (countable?.kind) {
    case 'NUMBER':
      return countedNumber;
    case 'CATEGORY':
      return offeredChoiceReader(countable);
    case 'SEVERAL':
      return offeredChoicesReader(countable);
    default:
      return () => null;
  }
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** An expression that tests for emptiness handles missing answers itself. */
const TESTS_FOR_EMPTY = /\b(?:not)?empty\b/i;

/**
 * Expressions see "refuse" and "don't know" as empty. The value is unknown if none of the answers used were given, or,
 * for a number, if not all were: otherwise comparisons with missing answers would be false, and sums would treat them
 * as 0.
 */
function computedReader(expression: string, kind: OutcomeSpec['kind'], reading: OutcomeColumnInput): Reader {
  const { interviews, versions } = reading;
  const calculation = definitionFor(expression, versions);
  if (!calculation) return NOTHING;
  const { keys, work } = calculation;
  const leastKnown = kind === 'NUMBER' ? keys.length : Math.min(1, keys.length);
  const asksForEmpty = TESTS_FOR_EMPTY.test(expression);
  const needed = asksForEmpty ? 0 : leastKnown;
  const leastAsked = asksForEmpty ? Math.min(1, keys.length) : leastKnown;
  // People who were asked none of the questions have no value, not even an empty one.
  const isAskedIn = ({ countables }: QuestionnaireVersion) =>
    keys.filter((key) => countables.has(key)).length >= leastAsked;
  const columns = keys.map((key) => interviews.answers.get(key));
  const { version } = interviews;
  const readers = version.values.map((id) => {
    const ownVersion = versionIn(reading, id);
    return ownVersion && isAskedIn(ownVersion)
      ? keys.map((key) => countedAnswer(ownVersion.countables.get(key)))
      : null;
  });
  const valueAt = (row: number): Value => {
    const read = readers[version.codes[row]!];
    if (!read) return null;
    const answers = Object.fromEntries(
      keys.flatMap((key, at) => {
        const answer = read[at]!(columns[at]?.valueOf(row));
        return answer === null ? [] : [[key, answer]];
      }),
    );
    if (Object.keys(answers).length < needed) return null;
    const value = work(answers);
    if (kind === 'NUMBER') return numberOf(value);
    return isCell(value) && value !== '' ? String(value) : null;
  };
  const byRow = readerByRow(
    [version, ...columns].map((column) => column?.codes),
    valueAt,
  );
  // Erased answers look like skipped ones.
  return {
    keyOf: (row) => (interviews.is(row, ERASED_BIT) ? 0 : byRow.keyOf(row) + 1),
    valueOf: (key) => (key === 0 ? null : byRow.valueOf(key - 1)),
    isAskedIn,
  };
}

/**
 * Uses the first version that has all questions of the expression, or otherwise the first that has some; null if there
 * is none.
 */
function definitionFor(expression: string, versions: SampledQuestionnaireVersions) {
  const usable = versions.included.flatMap((version) => {
    const { definition, countables } = version;
    if (!versions.mayCalculate(version, expression)) return [];
    const names = namesIn(definition, expression);
    if (!names) return [];
    const keys = keysOf(names, versions.included);
    return [{ definition, keys, own: keys.filter((key) => countables.has(key)).length, names: names.size }];
  });
  const best = usable.find(({ own, names }) => own === names) ?? usable.find(({ own }) => own > 0);
  const chosen = best ?? usable.find(({ names }) => names === 0);
  return chosen
    ? {
        keys: chosen.keys,
        work: compileExpression(chosen.definition, expressionWithRenamedValues(expression)),
      }
    : null;
}

/** In lowercase; null if this version cannot calculate it. */
function namesIn(definition: object, expression: string): Set<string> | null {
  try {
    return new Set(namesRead(definition, expression).map(({ key }) => key));
  } catch (error) {
    if (error instanceof UnusableExpression) return null;
    throw error;
  }
}

/** The keys of the questions, spelled as in the first version that has each. */
function keysOf(names: ReadonlySet<string>, askedVersions: readonly QuestionnaireVersion[]): string[] {
  const keyByName = new Map<string, string>();
  for (const { countables } of askedVersions)
    for (const key of countables.keys()) {
      const name = key.toLowerCase();
      if (names.has(name) && !keyByName.has(name)) keyByName.set(name, key);
    }
  return [...keyByName.values()];
}

/** Rows with the same codes have the same value, which is calculated once, from the first of them. */
function readerByRow(
  codes: readonly (ArrayLike<number> | undefined)[],
  valueAt: (row: number) => Value,
): Pick<Reader, 'keyOf' | 'valueOf'> {
  const keys = new Map<string, number>();
  const firstRows: number[] = [];
  return {
    keyOf(row) {
      let text = '';
      for (const column of codes) text += `${column?.[row]},`;
      let key = keys.get(text);
      if (key === undefined) {
        key = firstRows.push(row) - 1;
        keys.set(text, key);
      }
      return key;
    },
    valueOf: (key) => valueAt(firstRows[key]!),
  };
}

function fill(
  into: Int32Array | Float64Array,
  rows: Int32Array,
  reader: Reader,
  numberFor: (value: Value) => number,
) {
  const numberByKey: (number | undefined)[] = [];
  for (let at = 0; at < rows.length; at++) {
    const key = reader.keyOf(rows[at]!);
    const number = numberByKey[key] ?? numberFor(reader.valueOf(key));
    numberByKey[key] = number;
    into[at] = number;
  }
}

function levelsOf(rows: Int32Array, reader: Reader): OutcomeAnswers {
  const met = new Map<string, number>();
  const codes = new Int32Array(rows.length);
  fill(codes, rows, reader, (value) => {
    if (value === null) return -1;
    const level = String(value);
    const code = met.get(level) ?? met.size;
    met.set(level, code);
    return code;
  });
  const levels = [...met.keys()].sort(byCodePoint);
  const places = new Int32Array(levels.length);
  for (const [place, level] of levels.entries()) places[met.get(level)!] = place;
  for (let at = 0; at < codes.length; at++) if (codes[at]! >= 0) codes[at] = places[codes[at]!]!;
  return { kind: 'CATEGORY', levels, codes };
}

function numbersOf(rows: Int32Array, reader: Reader): OutcomeAnswers {
  const values = new Float64Array(rows.length);
  fill(values, rows, reader, (value) => (typeof value === 'number' ? value : Number.NaN));
  return { kind: 'NUMBER', values };
}
