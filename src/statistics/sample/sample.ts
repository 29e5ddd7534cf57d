/**
 * The study's sample: the counted interviews of the study table, each with its recruiter, network size and outcomes.
 */
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { queryParameterProblem } from '../../platform/http/problems/problem.ts';
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import type { RoundReference } from '../../study/rounds/requested.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { byCodePoint, type CategoryOutcome, type OutcomeAnswers } from '../estimators/outcome.ts';
import type { Sample } from '../estimators/sample/sample.ts';
import type { StudyTable } from '../study-table/table.ts';
import type { QuestionnaireVersion } from '../study-table/versions.ts';
import {
  LOCATION_OUTCOME_SPEC,
  levelTitles,
  MAX_OUTCOME_LEVELS,
  type OutcomeSpec,
  outcomeCatalogOf,
} from './catalog.ts';
import { columnOf, type OutcomeColumn, type OutcomeColumnInput } from './columns.ts';
import { rowsWithin, type SampleRows, sampleArraysOf } from './rows.ts';
import type { SampleFilterQuery } from './schema.ts';
import { type ApprovedFormulas, SampledQuestionnaireVersions, versionsInUse } from './versions.ts';

export interface LoadedOutcome {
  name: string;
  question: OutcomeSpec['question'];
  decidesEligibility: boolean;
  coversEveryone: boolean;
  title: TextByLanguage;
  outcome: OutcomeAnswers;
  /** By level; null for a level without a title. */
  levelTitles: (TextByLanguage | null)[];
  /**
   * The choices offered, whether or not anyone selected them; empty for numbers, sites and most calculated outcomes.
   */
  offered: { value: string; title: TextByLanguage }[];
  /** Ids of the versions that ask it, the leading one first. */
  questionnaires: string[];
  /** Number of people whose version does not ask it. */
  notAsked: number;
}

/** Rows are sorted by time, ties by id, so that nothing depends on the order in which interviews arrived. */
export interface TableSample extends Omit<SampleRows, 'rows'> {
  n: number;
  order: Sample['order'];
  /** The interview id of a sample row. */
  idOf(row: number): string;
  /** Id of the questionnaire version it was held with. */
  versionOf(row: number): string;
  outcomes: LoadedOutcome[];
  /**
   * Outcomes that could not be loaded, with the caller's path for each; always empty unless `leavesOutRefused` is set
   * or all outcomes were requested.
   */
  refused: FieldError[];
  /** The leading questionnaire's wording of the network size question. */
  sizeQuestion: TextByLanguage | null;
  /** Null unless it was requested and the sample is a single site's. */
  elsewhere: AnswersAtOtherSites | null;
  /** The site that the sample is narrowed to. */
  site: string | null;
}

/** The interviews at the other sites in the same days, in no particular order. */
export interface AnswersAtOtherSites {
  /** [n] the site of each one. */
  sites: CategoryOutcome;
  /** In the same order as the sample's outcomes. */
  outcomes: LoadedOutcome[];
}

export interface SampleOptions {
  window: SampleFilterQuery;
  /** The study's time zone. */
  zone: string;
  /**
   * Names of outcomes by the caller's path for each (`{ outcome: 'veteran' }`), which errors refer to. `ALL`: all
   * outcomes except those with too many levels. `ESTIMABLE`: the ones of these that can be estimated without naming a
   * questionnaire.
   */
  outcomes: Readonly<Record<string, string>> | 'ALL' | 'ESTIMABLE';
  /** Loads the outcomes that can be loaded and lists the others in `refused`, instead of failing with 400. */
  skipsRefused?: boolean;
  /** Additional outcomes or questions, loaded only if they exist. */
  optionalOutcomes?: readonly string[];
  /** For a single site's sample, also loads the answers at the other sites: see by-site.ts. */
  withOtherSites?: boolean;
  /** For files with a row per person: an outcome may have any number of levels. */
  anyLevels?: boolean;
}

/** What a sample depends on besides the table. */
export interface SampleContext {
  /** The outcomes that the study calculates from answers. */
  computed: StudyRecord['outcomes'];
  /** Calculated answers that may be counted. */
  approved: ApprovedFormulas;
  /** Site names by id. */
  places: ReadonlyMap<string, TextByLanguage>;
  /** The round whose interviews are used. */
  round: RoundReference;
}

export interface SampleSource extends Pick<StudyTable, 'interviews' | 'versions'> {
  /** Replaces the versions that its interviews were held with. */
  held?: readonly string[];
}

/** 400 for an unknown outcome or questionnaire, and for an outcome that can't be loaded. */
export function sampleOf(table: SampleSource, request: SampleOptions & SampleContext): TableSample {
  const { interviews } = table;
  const { window, zone, outcomes: requestedOutcomes } = request;
  const { held: versionIds = versionsInUse(interviews) } = table;
  const { questionnaire } = window;
  const versions = new SampledQuestionnaireVersions(table.versions, {
    held: versionIds,
    questionnaire,
    approved: request.approved,
  });
  const { leading } = versions;
  const reading: OutcomeColumnInput = { ...table, versions, alone: questionnaire !== undefined };
  const specs = specsOf(request, outcomeCatalogOf(versions, { outcomes: request.computed }));
  const { rows, ...arranged } = sampleArraysOf(interviews, rowsWithin(interviews, window, zone));
  const columns = specs.map((spec) => columnOf(spec, rows, reading));
  const outcomes = columns.map((column) => loadedOutcome(column, versions, request.places));
  const isOneSite = request.withOtherSites && window.location !== undefined;
  const elsewhere = isOneSite ? readOtherSites(request, specs, reading) : null;
  const isForAll = typeof requestedOutcomes === 'string';
  const paths = isForAll ? [] : Object.keys(requestedOutcomes);
  const errors = columns.map((column, at) => {
    const path = paths[at] ?? column.spec.name;
    const isEstimated = at < paths.length || requestedOutcomes === 'ESTIMABLE';
    if (isEstimated && column.differing.length > 0) return differentKindError(path, column, leading);
    if (request.anyLevels || isWithinLevels(outcomes[at], elsewhere?.outcomes[at])) return null;
    return fieldError(path, 'TOO_MANY_LEVELS', { most: MAX_OUTCOME_LEVELS });
  });
  const refused = (isForAll ? errors : errors.slice(0, paths.length)).filter((error) => error !== null);
  if (refused.length > 0 && !isForAll && !request.skipsRefused) throw queryParameterProblem(...refused);
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

function readOtherSites(
  { window, zone }: SampleOptions,
  specs: readonly OutcomeSpec[],
  reading: OutcomeColumnInput,
): AnswersAtOtherSites {
  const rows = rowsWithin(reading.interviews, window, zone, true);
  const read = (spec: OutcomeSpec) =>
    loadedOutcome(columnOf(spec, rows, reading), reading.versions, new Map());
  return {
    sites: columnOf(LOCATION_OUTCOME_SPEC, rows, reading).outcome as CategoryOutcome,
    outcomes: specs.map(read),
  };
}

function specsOf(
  { outcomes, optionalOutcomes = [] }: SampleOptions,
  catalogue: readonly OutcomeSpec[],
): readonly OutcomeSpec[] {
  if (typeof outcomes === 'string') return catalogue;
  const requestedSpecs = Object.entries(outcomes).map(([path, name]) => {
    const spec = catalogue.find((one) => one.name === name);
    if (spec) return spec;
    throw queryParameterProblem(fieldError(path, 'NO_OUTCOME'));
  });
  return [
    ...requestedSpecs,
    ...catalogue.filter(({ name, question }) =>
      [name, question.name].some((one) => optionalOutcomes.includes(one)),
    ),
  ];
}

/** The question had another kind in another version, so the caller must name a version. */
function differentKindError(
  path: string,
  { differing }: OutcomeColumn,
  leading: QuestionnaireVersion | null,
): FieldError {
  const others = differing.map(({ label }) => label).sort();
  return fieldError(path, 'OTHER_OUTCOME', {
    here: leading?.label ?? 'one',
    elsewhere: others.join(', '),
  });
}

function isWithinLevels(...of: (LoadedOutcome | undefined)[]): boolean {
  return of.every(
    (one) => one?.outcome.kind !== 'CATEGORY' || one.outcome.levels.length <= MAX_OUTCOME_LEVELS,
  );
}

function loadedOutcome(
  { spec, outcome, asking, notAsked }: OutcomeColumn,
  { included: askedVersions }: SampledQuestionnaireVersions,
  places: SampleContext['places'],
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
