/** An outcome as it is gathered, interview by interview: from an answer to a level or a number. */
import { byCodePoint, type Outcome } from '../analysis/outcome.ts';
import { isPlainObject } from '../questionnaires/definition.ts';
import { compileValue, namesRead, Unusable } from '../questionnaires/takes-part.ts';
import type { OutcomeSpec, Source } from './catalogue.ts';
import type { Version } from './versions.ts';

/** Interviews of one version of a questionnaire; what is asked of each stands in the same order. */
export interface Batch {
  version: Version | null;
  size: number;
  /** Empty where no column asks for them. */
  locations: readonly string[];
  /** By the keys of the questions that are read. */
  answersTo(key: string): readonly unknown[];
}

/** A level or a number; null where it is missing. */
type Value = string | number | null;

export interface Column {
  spec: OutcomeSpec;
  /** The keys of the questions that it reads. */
  keys: readonly string[];
  /** Versions whose question of this name is of another kind. */
  differing: Set<Version>;
  /** Versions that ask it. */
  asking: Set<Version>;
  add(batch: Batch): void;
  /** Once. [n] in the order of `rows`, which are numbers of interviews in the order in which they were added. */
  end(rows: Int32Array): Outcome;
}

interface Asked {
  leading: Version | null;
  /** Answers to other versions are missing ones. */
  alone: boolean;
}

export function columnOf(spec: OutcomeSpec, { leading, alone }: Asked): Column {
  const differing = new Set<Version>();
  const asking = new Set<Version>();
  const { keys, read } = readerOf(spec.source, spec.kind, leading, { differing, asking });
  const isLeftOut = ({ version }: Batch) =>
    alone && spec.source.from !== 'LOCATION' && version?.id !== leading?.id;
  const gathered = spec.kind === 'CATEGORY' ? gatheredLevels() : gatheredNumbers();
  return {
    spec,
    keys,
    differing,
    asking,
    add: (batch) => {
      const values = isLeftOut(batch) ? noValues(batch.size) : read(batch);
      for (const value of values) gathered.add(value);
    },
    end: gathered.end,
  };
}

const noValues = (size: number) => new Array<null>(size).fill(null);

interface Seen {
  differing: Set<Version>;
  asking: Set<Version>;
}

interface Reader {
  keys: readonly string[];
  /** [size] */
  read(batch: Batch): readonly Value[];
}

function readerOf(source: Source, kind: OutcomeSpec['kind'], leading: Version | null, seen: Seen): Reader {
  if (source.from === 'LOCATION') return { keys: [], read: ({ locations }) => locations };
  if (source.from === 'COMPUTED') return computedReader(source.expression, kind, leading);
  const { key, choice } = source;
  const wanted = choice === null ? kind : 'SEVERAL';
  const readBatch = ({ version, size, answersTo }: Batch): readonly Value[] => {
    const asked = version?.countables.get(key);
    if (!version || !asked) return noValues(size);
    if (asked.kind !== wanted) {
      seen.differing.add(version);
      return noValues(size);
    }
    seen.asking.add(version);
    const answers = answersTo(key);
    if (choice !== null) return areChosen(answers, choice, asked);
    return answers.map<Value>(kind === 'NUMBER' ? (answer) => numberOf(plain(answer)) : offeredOnes(asked));
  };
  return { keys: [key], read: readBatch };
}

interface Choices {
  choices: readonly { value: string }[];
  missing: readonly string[];
}

/** A choice with a remark is stored as `{ value, comment }`. */
const plain = (answer: unknown): unknown => (isPlainObject(answer) ? answer.value : answer);
const isCell = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Only what the questionnaire offers: what people wrote instead could tell who they are. */
function offeredOnes({ choices, missing }: Choices): (answer: unknown) => string | null {
  const levels = new Map([
    ...choices.map(({ value }) => [value, value] as const),
    ...missing.map((value) => [value, null] as const),
  ]);
  const other = levels.get('other') ?? null;
  return (answer) => {
    const value = plain(answer);
    if (!isCell(value) || value === '') return null;
    const level = levels.get(String(value));
    return level === undefined ? other : level;
  };
}

/** Where this version does not offer the choice, nobody was asked. */
function areChosen(answers: readonly unknown[], choice: string, asked: Choices): readonly Value[] {
  if (!asked.choices.some(({ value }) => value === choice)) return noValues(answers.length);
  return choicesMade(answers, asked).map((made) => made && (made.includes(choice) ? '1' : '0'));
}

/** By the answers of a batch: each of a question's choices is an outcome of its own, and asks for the same. */
const madeOf = new WeakMap<readonly unknown[], (string[] | null)[]>();

/** Null where nothing was chosen, or what means that nothing is known. */
function choicesMade(answers: readonly unknown[], asked: Choices): (string[] | null)[] {
  const known = madeOf.get(answers);
  if (known) return known;
  const all = answers.map((answer) => {
    if (!Array.isArray(answer) || answer.length === 0) return null;
    const made = answer.map((one) => String(plain(one)));
    return made.some((one) => asked.missing.includes(one)) ? null : made;
  });
  madeOf.set(answers, all);
  return all;
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** An expression that asks whether something is empty says itself what to make of it. */
const ASKS_FOR_EMPTY = /\b(?:not)?empty\b/i;

/**
 * "Refuse" and "don't know" are empty to an expression. Where none of the answers that it looks at was given, or to a
 * number not all of them, nothing is known: a comparison with nothing would be false, and a sum one of zeros.
 */
function computedReader(expression: string, kind: OutcomeSpec['kind'], leading: Version | null): Reader {
  const nothing: Reader = { keys: [], read: ({ size }) => noValues(size) };
  if (!leading) return nothing;
  const { definition, countables } = leading;
  try {
    const names = new Set(namesRead(definition, expression).map(({ key }) => key));
    const keys = [...countables.keys()].filter((key) => names.has(key.toLowerCase()));
    const work = compileValue(definition, expression);
    const needed = ASKS_FOR_EMPTY.test(expression)
      ? 0
      : kind === 'NUMBER'
        ? keys.length
        : Math.min(1, keys.length);
    const valueFor = (version: Version | null, answerTo: (key: string) => unknown): Value => {
      const known = Object.fromEntries(
        keys.flatMap((key) => {
          const answer = answerTo(key);
          const { missing = [] } = version?.countables.get(key) ?? {};
          const all: unknown[] = Array.isArray(answer) ? answer : [plain(answer)];
          const isMissing =
            answer === undefined || answer === null || all.some((one) => missing.includes(String(one)));
          return isMissing ? [] : [[key, answer]];
        }),
      );
      if (Object.keys(known).length < needed) return null;
      const value = work(known);
      if (kind === 'NUMBER') return numberOf(value);
      return isCell(value) && value !== '' ? String(value) : null;
    };
    const read = ({ version, size, answersTo }: Batch) =>
      Array.from({ length: size }, (_, at) => valueFor(version, (key) => answersTo(key)[at]));
    return { keys, read };
  } catch (error) {
    // The active questionnaire is not the one that it was written for any more.
    if (error instanceof Unusable) return nothing;
    throw error;
  }
}

function gatheredLevels() {
  const codes = growing(Int32Array);
  const codeOf = new Map<string, number>();
  return {
    add(value: Value): void {
      if (value === null) {
        codes.push(-1);
        return;
      }
      const level = String(value);
      let code = codeOf.get(level);
      if (code === undefined) {
        code = codeOf.size;
        codeOf.set(level, code);
      }
      codes.push(code);
    },
    end(rows: Int32Array): Outcome {
      const met = [...codeOf.keys()];
      const levels = met.toSorted(byCodePoint);
      const at = new Map(levels.map((level, place) => [level, place]));
      const placeOf = met.map((level) => at.get(level) ?? -1);
      const found = codes.take();
      const sorted = new Int32Array(rows.length);
      for (let i = 0; i < rows.length; i++) sorted[i] = placeOf[found[rows[i]!]!] ?? -1;
      return { kind: 'CATEGORY', levels, codes: sorted };
    },
  };
}

function gatheredNumbers() {
  const numbers = growing(Float64Array);
  return {
    add(value: Value): void {
      numbers.push(typeof value === 'number' ? value : Number.NaN);
    },
    end(rows: Int32Array): Outcome {
      const found = numbers.take();
      const values = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) values[i] = found[rows[i]!]!;
      return { kind: 'NUMBER', values };
    },
  };
}

/** Numbers in half the room of an array, of which there may be hundreds at once; `take` lets go of them. */
function growing<T extends Int32Array | Float64Array>(Numbers: new (size: number) => T) {
  let values = new Numbers(64);
  let size = 0;
  return {
    push(value: number): void {
      if (size === values.length) {
        const more = new Numbers(2 * size);
        more.set(values);
        values = more;
      }
      values[size++] = value;
    },
    take(): T {
      const all = values;
      values = new Numbers(0);
      return all;
    },
  };
}
