/**
 * The study's sample: the counted interviews of the study table, each with its recruiter, network size and outcomes.
 */
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { queryProblem } from '../../platform/http/problems/problem.ts';
import type { Texts } from '../../questionnaires/codebook/countable.ts';
import type { RoundReference } from '../../study/rounds/requested.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { byCodePoint, type Category, type Outcome } from '../estimators/outcome.ts';
import type { Sample } from '../estimators/sample/sample.ts';
import type { StudyTable } from '../study-table/table.ts';
import type { Version } from '../study-table/versions.ts';
import { catalogueOf, LOCATION, levelTitles, MAX_LEVELS, type OutcomeSpec } from './catalogue.ts';
import { type ColumnReading, columnOf, type OutcomeColumn } from './columns.ts';
import { type ArrangedRows, arrangedRows, rowsWithin } from './rows.ts';
import type { SampleWindow } from './schema.ts';
import { type ApprovedFormulas, heldVersions, SampleVersions } from './versions.ts';

export interface LoadedOutcome {
  name: string;
  question: OutcomeSpec['question'];
  decidesEligibility: boolean;
  coversEveryone: boolean;
  title: Texts;
  outcome: Outcome;
  /** By level; null for one without a name of its own. */
  levelTitles: (Texts | null)[];
  /** The answers that can be given, whether or not anyone gave them; none of a number, of sites and of what is worked out. */
  offered: { value: string; title: Texts }[];
  /** Ids of the versions that ask it, the main one first. */
  questionnaires: string[];
  /** How many people's version does not ask it. */
  notAsked: number;
}

/** Rows are in order of time, ties by id, so that nothing depends on the order in which interviews arrived. */
export interface TableSample extends Omit<ArrangedRows, 'rows'> {
  n: number;
  order: Sample['order'];
  /** Of a row of the sample. */
  idOf(row: number): string;
  /** Id of the questionnaire version that it was held with. */
  versionOf(row: number): string;
  outcomes: LoadedOutcome[];
  /** Outcomes that could not be loaded, by where the caller named them; always empty unless it asked for the others alone. */
  refused: FieldError[];
  /** How the leading questionnaire asks for the network size. */
  sizeQuestion: Texts | null;
  /** Null unless it was wished for, and the sample is that of one site. */
  elsewhere: OtherSites | null;
  /** The one that the sample is narrowed to. */
  site: string | null;
}

/** Who was asked at the other sites in the same days: rows in no particular order. */
export interface OtherSites {
  /** [n] where each was. */
  sites: Category;
  /** As those of the sample, one by one. */
  outcomes: LoadedOutcome[];
}

export interface SampleWish {
  window: SampleWindow;
  /** The study's time zone. */
  zone: string;
  /**
   * Names of outcomes by where the caller named them (`{ outcome: 'veteran' }`), for a refusal. `ALL`: all outcomes except
   * those with too many levels. `ESTIMABLE`: of these, the ones that can be estimated without naming a questionnaire.
   */
  outcomes: Readonly<Record<string, string>> | 'ALL' | 'ESTIMABLE';
  /** Load the outcomes that can be loaded and name the others in `refused`, in place of a 400 for one of them. */
  leavesOutRefused?: boolean;
  /** Further ones or their questions, of which those come along that there are. */
  ifThere?: readonly string[];
  /** Of one site's sample, what was answered at the others too: see by-site.ts. */
  withOtherSites?: boolean;
  /** For files with a row for each person: an outcome may have as many levels as there are people. */
  anyLevels?: boolean;
}

/** What a sample depends on beside the table. */
export interface StudyContext {
  /** What the study calculates from answers. */
  computed: StudyRecord['outcomes'];
  /** Which calculated answers may be counted. */
  approved: ApprovedFormulas;
  /** Names of sites by id. */
  places: ReadonlyMap<string, Texts>;
  /** The table is that of this round. */
  round: RoundReference;
}

export interface SampleSource extends Pick<StudyTable, 'interviews' | 'versions'> {
  /** In place of those that its interviews were held with. */
  held?: readonly string[];
}

/** 400 for an outcome or a questionnaire that is none, and for an outcome that can't be loaded. */
export function sampleOf(table: SampleSource, wish: SampleWish & StudyContext): TableSample {
  const { interviews } = table;
  const { window, zone, outcomes: requestedOutcomes } = wish;
  const { held: versionIds = heldVersions(interviews) } = table;
  const { questionnaire } = window;
  const versions = new SampleVersions(table.versions, {
    held: versionIds,
    questionnaire,
    approved: wish.approved,
  });
  const { leading } = versions;
  const reading: ColumnReading = { ...table, versions, alone: questionnaire !== undefined };
  const specs = specsOf(wish, catalogueOf(versions, { outcomes: wish.computed }));
  const { rows, ...arranged } = arrangedRows(interviews, rowsWithin(interviews, window, zone));
  const columns = specs.map((spec) => columnOf(spec, rows, reading));
  const outcomes = columns.map((column) => loadedOutcome(column, versions, wish.places));
  const isOneSite = wish.withOtherSites && window.location !== undefined;
  const elsewhere = isOneSite ? readElsewhere(wish, specs, reading) : null;
  const isForAll = typeof requestedOutcomes === 'string';
  const paths = isForAll ? [] : Object.keys(requestedOutcomes);
  const errors = columns.map((column, at) => {
    const path = paths[at] ?? column.spec.name;
    const isEstimated = at < paths.length || requestedOutcomes === 'ESTIMABLE';
    if (isEstimated && column.differing.length > 0) return differingError(path, column, leading);
    if (wish.anyLevels || isWithinLevels(outcomes[at], elsewhere?.outcomes[at])) return null;
    return fieldError(path, 'TOO_MANY_LEVELS', { most: MAX_LEVELS });
  });
  const refused = (isForAll ? errors : errors.slice(0, paths.length)).filter((error) => error !== null);
  if (refused.length > 0 && !isForAll && !wish.leavesOutRefused) throw queryProblem(...refused);
  const fitting = (all: LoadedOutcome[]) => all.filter((_, at) => errors[at] === null);
  return {
    ...arranged,
    n: rows.length,
    idOf: (row) => interviews.ids.hex(rows[row]!),
    versionOf: (row) => interviews.version.values[interviews.version.codes[rows[row]!]!]!,
    order: Int32Array.from(rows.keys()),
    outcomes: fitting(outcomes),
    elsewhere: elsewhere && { ...elsewhere, outcomes: fitting(elsewhere.outcomes) },
    refused,
    sizeQuestion: leading?.sizeQuestion ?? null,
    site: window.location ?? null,
  };
}

function readElsewhere(
  { window, zone }: SampleWish,
  specs: readonly OutcomeSpec[],
  reading: ColumnReading,
): OtherSites {
  const rows = rowsWithin(reading.interviews, window, zone, true);
  const read = (spec: OutcomeSpec) =>
    loadedOutcome(columnOf(spec, rows, reading), reading.versions, new Map());
  return {
    sites: columnOf(LOCATION, rows, reading).outcome as Category,
    outcomes: specs.map(read),
  };
}

function specsOf(
  { outcomes, ifThere = [] }: SampleWish,
  catalogue: readonly OutcomeSpec[],
): readonly OutcomeSpec[] {
  if (typeof outcomes === 'string') return catalogue;
  const requestedSpecs = Object.entries(outcomes).map(([path, name]) => {
    const spec = catalogue.find((one) => one.name === name);
    if (spec) return spec;
    throw queryProblem(fieldError(path, 'NO_OUTCOME'));
  });
  return [
    ...requestedSpecs,
    ...catalogue.filter(({ name, question }) => [name, question.name].some((one) => ifThere.includes(one))),
  ];
}

/** A question that was of another kind in another version: which one is meant must be said. */
function differingError(path: string, { differing }: OutcomeColumn, leading: Version | null): FieldError {
  const others = differing.map(({ label }) => label).sort();
  return fieldError(path, 'OTHER_OUTCOME', {
    here: leading?.label ?? 'one',
    elsewhere: others.join(', '),
  });
}

function isWithinLevels(...of: (LoadedOutcome | undefined)[]): boolean {
  return of.every((one) => one?.outcome.kind !== 'CATEGORY' || one.outcome.levels.length <= MAX_LEVELS);
}

function loadedOutcome(
  { spec, outcome, asking, notAsked }: OutcomeColumn,
  { included: askedVersions }: SampleVersions,
  places: StudyContext['places'],
): LoadedOutcome {
  const titles = spec.source.from === 'LOCATION' ? places : levelTitles(spec, askedVersions);
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels : [];
  const { name, question, decidesEligibility, coversEveryone, title } = spec;
  return {
    ...{ name, question, decidesEligibility, coversEveryone, title, outcome },
    levelTitles: levels.map((level) => titles.get(level) ?? null),
    offered:
      outcome.kind === 'NUMBER' || spec.source.from === 'LOCATION'
        ? []
        : [...titles]
            .map(([value, words]) => ({ value, title: words }))
            .sort((a, b) => byCodePoint(a.value, b.value)),
    questionnaires: asking,
    notAsked,
  };
}
