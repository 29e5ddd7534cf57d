/** The answers used in a count's tables. Each person is in one cell of each table. */
import type { TextByLanguage } from '../../../questionnaires/codebook/countable.ts';
import type { CategoryOutcome } from '../../estimators/outcome.ts';
import type { LoadedOutcome, TableSample } from '../../sample/sample.ts';
import {
  COUNT_TABLE_QUESTION_NAMES,
  DURATIONS_OF_A_YEAR_OR_MORE,
  FOUR_OR_MORE_TIMES_CHOICE,
  HISPANIC,
  HOUSEHOLD_WITH_CHILDREN,
  NON_DISABILITY_CONDITIONS,
  OTHER_ADULTS_CHOICES,
  TWELVE_OR_MORE_MONTHS,
} from './questions.ts';
import { COUNT_TABLE_WORDS, joinLabels } from './words.ts';

export interface DemographicGrouping {
  key: 'age' | 'gender' | 'race' | 'veteran' | 'chronic';
  cells: { key: string; title: TextByLanguage | null }[];
  /** [n] index into `cells`; -1 if unknown. */
  codes: Int32Array;
}

export interface HouseholdAnswers {
  /** [n] adults in the household who could be interviewed, including the respondent; NaN if unknown. */
  adults: Float64Array;
  children: Float64Array;
  /** Null if nobody was asked. */
  childrenUnder6: Float64Array | null;
  /** [n] 1 for the first respondent from a household, 0 if that is unknown. */
  isFirst: Uint8Array;
}

export interface CountTableAnswers {
  /** In table order, without those that nobody was asked about. */
  groupings: DemographicGrouping[];
  notAsked: DemographicGrouping['key'][];
  /** Null if no version asks for the number of adults. */
  households: HouseholdAnswers | null;
}

type AnswersSample = Pick<TableSample, 'outcomes' | 'versionOf'> & { n: number };

export function readCountAnswers(sample: AnswersSample): CountTableAnswers {
  const read = new Reader(sample);
  const groupings = { age: ageOf(read), ...identitiesOf(read), chronic: chronicOf(read) };
  const keys = Object.keys(groupings) as DemographicGrouping['key'][];
  return {
    groupings: keys.flatMap((key) => (groupings[key] ? [groupings[key]] : [])),
    notAsked: keys.filter((key) => groupings[key] === null),
    households: householdsOf(read),
  };
}

const YES = '1';

class Reader {
  readonly n: number;
  readonly versionOf: (row: number) => string;
  readonly #outcomes: readonly LoadedOutcome[];

  constructor({ n, outcomes, versionOf }: AnswersSample) {
    this.n = n;
    this.versionOf = versionOf;
    this.#outcomes = outcomes;
  }

  /** A question with one answer; null if no version asks it. */
  one(name: string): LoadedOutcome | null {
    return this.#outcomes.find((outcome) => outcome.name === name) ?? null;
  }

  category(name: string): CategoryOutcome | null {
    const outcome = this.one(name)?.outcome;
    return outcome?.kind === 'CATEGORY' ? outcome : null;
  }

  numbers(name: string): Float64Array | null {
    const outcome = this.one(name)?.outcome;
    return outcome?.kind === 'NUMBER' ? outcome.values : null;
  }

  /** The answer in one row; null if missing. */
  level(category: CategoryOutcome | null, row: number): string | null {
    const code = category?.codes[row] ?? -1;
    return code < 0 ? null : category!.levels[code]!;
  }

  /** The choices of a multiple-choice question, each of which is an outcome. */
  choices(question: string): { value: string; title: TextByLanguage | null; outcome: CategoryOutcome }[] {
    return this.#outcomes.flatMap(({ name, question: of, outcome, offered }) => {
      if (of.name !== question || name === question || outcome.kind !== 'CATEGORY') return [];
      const title = offered.find(({ value }) => value === YES)?.title ?? null;
      return [{ value: name.slice(question.length + 1), title, outcome }];
    });
  }
}

/** The choices selected in a row; null if none is known. Choices that weren't offered count as not selected. */
function chosen(read: Reader, choices: ReturnType<Reader['choices']>, row: number): string[] | null {
  const levels = choices.map(({ outcome }) => read.level(outcome, row));
  if (levels.every((level) => level === null)) return null;
  return choices.filter((_, at) => levels[at] === YES).map(({ value }) => value);
}

function cellOfQuestion(read: Reader, key: 'age' | 'veteran', question: string): DemographicGrouping | null {
  const loaded = read.one(question);
  if (loaded?.outcome.kind !== 'CATEGORY') return null;
  const { levels, codes } = loaded.outcome;
  const titles = new Map(levels.map((level, at) => [level, loaded.levelTitles[at] ?? null]));
  for (const { value, title } of loaded.offered) titles.set(value, title);
  const cells = [...titles].map(([value, title]) => ({ key: value, title }));
  cells.sort((a, b) => (a.key < b.key ? -1 : 1));
  const at = levels.map((level) => cells.findIndex((cell) => cell.key === level));
  return { key, cells, codes: codes.map((code) => (code < 0 ? -1 : at[code]!)) };
}

const ageOf = (read: Reader) => cellOfQuestion(read, 'age', COUNT_TABLE_QUESTION_NAMES.age);

function identitiesOf(read: Reader): Record<'gender' | 'race' | 'veteran', DemographicGrouping | null> {
  return {
    gender: genderOf(read),
    race: raceOf(read),
    veteran: cellOfQuestion(read, 'veteran', COUNT_TABLE_QUESTION_NAMES.veteran),
  };
}

function genderOf(read: Reader): DemographicGrouping | null {
  const choices = read.choices(COUNT_TABLE_QUESTION_NAMES.gender);
  if (choices.length === 0) return null;
  const cells = [
    ...choices.map(({ value, title }) => ({ key: value, title })),
    { key: 'several', title: COUNT_TABLE_WORDS.severalGenders },
  ];
  return {
    key: 'gender',
    cells,
    codes: rowsTo(
      read,
      (row) => {
        const values = chosen(read, choices, row);
        if (!values || values.length === 0) return null;
        return values.length > 1 ? 'several' : values[0]!;
      },
      cells,
    ),
  };
}

/** HUD's cells: one race, or several, each with or without Hispanic or Latino; and Hispanic or Latino alone. */
function raceOf(read: Reader): DemographicGrouping | null {
  const choices = read.choices(COUNT_TABLE_QUESTION_NAMES.race);
  if (choices.length === 0) return null;
  const hispanic = choices.find(({ value }) => value === HISPANIC)?.title ?? null;
  const withHispanic = (key: string, title: TextByLanguage | null) =>
    hispanic ? [{ key: `${key}+${HISPANIC}`, title: title && joinLabels(title, hispanic) }] : [];
  const races = choices.filter(({ value }) => value !== HISPANIC);
  const cells = [
    ...races.flatMap(({ value, title }) => [{ key: value, title }, ...withHispanic(value, title)]),
    ...(hispanic ? [{ key: HISPANIC, title: hispanic }] : []),
    { key: 'several', title: COUNT_TABLE_WORDS.severalRaces },
    ...withHispanic('several', COUNT_TABLE_WORDS.severalRaces),
  ];
  return {
    key: 'race',
    cells,
    codes: rowsTo(read, (row) => raceCategoryOf(chosen(read, choices, row)), cells),
  };
}

export function raceCategoryOf(values: readonly string[] | null): string | null {
  if (!values || values.length === 0) return null;
  const races = values.filter((value) => value !== HISPANIC);
  if (races.length === 0) return HISPANIC;
  const race = races.length > 1 ? 'several' : races[0]!;
  return races.length < values.length ? `${race}+${HISPANIC}` : race;
}

/** Chronic homelessness of a person, by HUD's definition (24 CFR 578.3). */
function chronicOf(read: Reader): DemographicGrouping | null {
  const of = {
    disabling: read.category(COUNT_TABLE_QUESTION_NAMES.disabling),
    duration: read.category(COUNT_TABLE_QUESTION_NAMES.duration),
    times: read.category(COUNT_TABLE_QUESTION_NAMES.times),
    months: read.category(COUNT_TABLE_QUESTION_NAMES.months),
  };
  const conditions = read.choices(COUNT_TABLE_QUESTION_NAMES.conditions);
  if (!of.disabling || !of.duration) return null;
  const cells = [
    { key: 'yes', title: COUNT_TABLE_WORDS.chronic },
    { key: 'no', title: COUNT_TABLE_WORDS.notChronic },
  ];
  const codes = rowsTo(
    read,
    (row) => {
      const levelOf = (category: CategoryOutcome | null) => read.level(category, row);
      const values = chosen(read, conditions, row);
      return chronicHomelessnessAnswer({
        conditions: values?.filter((one) => !NON_DISABILITY_CONDITIONS.includes(one)) ?? null,
        disabling: levelOf(of.disabling),
        duration: levelOf(of.duration),
        times: levelOf(of.times),
        months: levelOf(of.months),
      });
    },
    cells,
  );
  return { key: 'chronic', cells, codes };
}

export interface ChronicAnswers {
  conditions: readonly string[] | null;
  disabling: string | null;
  duration: string | null;
  times: string | null;
  months: string | null;
}

/** Null if the answers don't determine it. */
export function chronicHomelessnessAnswer(answers: ChronicAnswers): 'yes' | 'no' | null {
  const { conditions, disabling, duration, times, months } = answers;
  const isDisabled = disabling !== null ? disabling === 'yes' : conditions?.length === 0 ? false : null;
  const isYear = duration === null ? null : DURATIONS_OF_A_YEAR_OR_MORE.includes(duration);
  const isFourTimes =
    times === null
      ? null
      : times !== FOUR_OR_MORE_TIMES_CHOICE
        ? false
        : months === null
          ? null
          : months === TWELVE_OR_MORE_MONTHS;
  const isLong =
    isYear === true || isFourTimes === true ? true : isYear === null || isFourTimes === null ? null : false;
  if (isDisabled === false || isLong === false) return 'no';
  return isDisabled && isLong ? 'yes' : null;
}

function rowsTo(
  read: Reader,
  cellOf: (row: number) => string | null,
  cells: readonly { key: string }[],
): Int32Array {
  const place = new Map(cells.map(({ key }, at) => [key, at]));
  return Int32Array.from({ length: read.n }, (_, row) => {
    const key = cellOf(row);
    return key === null ? -1 : (place.get(key) ?? -1);
  });
}

/**
 * The households of people whose version doesn't ask for the number of adults are unknown, even if they stay alone;
 * otherwise people who stay alone would be overrepresented.
 */
function householdsOf(read: Reader): HouseholdAnswers | null {
  const loaded = read.one(COUNT_TABLE_QUESTION_NAMES.adults);
  const numbers = read.numbers(COUNT_TABLE_QUESTION_NAMES.adults);
  const choices = read.choices(COUNT_TABLE_QUESTION_NAMES.household);
  if (!loaded || !numbers || choices.length === 0) return null;
  const asking = new Set(loaded.questionnaires);
  const children = read.numbers(COUNT_TABLE_QUESTION_NAMES.children);
  const under6 = read.numbers(COUNT_TABLE_QUESTION_NAMES.childrenUnder6);
  const interviewed = read.category(COUNT_TABLE_QUESTION_NAMES.interviewed);
  const households: HouseholdAnswers = {
    adults: new Float64Array(read.n).fill(Number.NaN),
    children: new Float64Array(read.n).fill(Number.NaN),
    childrenUnder6: under6 && new Float64Array(read.n).fill(Number.NaN),
    isFirst: new Uint8Array(read.n),
  };
  for (let row = 0; row < read.n; row++) {
    const with_ = asking.has(read.versionOf(row)) ? chosen(read, choices, row) : null;
    if (!with_) continue;
    const isWithAdults = OTHER_ADULTS_CHOICES.some((one) => with_.includes(one));
    const adults = isWithAdults ? (numbers[row] ?? Number.NaN) : 1;
    households.adults[row] = adults >= 1 ? adults : Number.NaN;
    const isWithChildren = with_.includes(HOUSEHOLD_WITH_CHILDREN);
    households.children[row] = isWithChildren ? (children?.[row] ?? Number.NaN) : 0;
    if (households.childrenUnder6)
      households.childrenUnder6[row] = isWithChildren
        ? Math.min(under6?.[row] ?? Number.NaN, households.children[row]!)
        : 0;
    households.isFirst[row] = Number(adults === 1 || read.level(interviewed, row) === 'no');
  }
  return households;
}
