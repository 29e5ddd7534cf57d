/** The questionnaire versions that a sample's outcomes come from. */
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { queryParameterProblem } from '../../platform/http/problems/problem.ts';
import { formulasUsedIn } from '../../platform/lib/text/formulas.ts';
import type { RoundReference } from '../../study/rounds/requested.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { IN_SAMPLE_BIT, type InterviewColumnStore } from '../study-table/interviews.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { type QuestionnaireVersion, QuestionnaireVersions } from '../study-table/versions.ts';

/** Older versions are ignored. */
const MAX_VERSIONS = 200;

export type ApprovedFormulas = StudyRecord['approvedFormulas'];

interface VersionSelection {
  /** Ids of the versions that counted interviews were held with. */
  held: Iterable<string>;
  /** Use only this version; 400 if it does not exist. */
  questionnaire?: string | undefined;
  approved: ApprovedFormulas;
}

export class SampledQuestionnaireVersions {
  /** The versions whose questions are outcomes: the active one first if it has interviews, then newest first. */
  readonly included: readonly QuestionnaireVersion[];
  readonly #all: QuestionnaireVersions;
  /** By id, with only the countable answers. */
  readonly #counted = new Map<string, QuestionnaireVersion>();
  readonly #approved: ReadonlySet<string>;

  constructor(all: QuestionnaireVersions, { held: versionIds, questionnaire, approved }: VersionSelection) {
    this.#all = all;
    this.#approved = new Set(approved.map(keyOf));
    if (questionnaire !== undefined) {
      const only = this.get(questionnaire.toLowerCase());
      if (!only) throw queryParameterProblem(fieldError('questionnaire', 'NO_QUESTIONNAIRE'));
      this.included = [only];
      return;
    }
    const { active } = all;
    const newest = [...new Set(versionIds)].sort((a, b) => (a < b ? 1 : -1));
    const ids = active !== null && newest.includes(active) ? [active, ...newest] : [...newest, active];
    this.included = [...new Set(ids)]
      .flatMap((id) => (id === null ? [] : (this.get(id) ?? [])))
      .slice(0, MAX_VERSIONS);
  }

  get leading(): QuestionnaireVersion | null {
    return this.included[0] ?? null;
  }

  /** Without calculated answers that nobody has approved. */
  get(id: string): QuestionnaireVersion | null {
    const existing = this.#counted.get(id);
    if (existing) return existing;
    const version = this.#all.get(id);
    if (!version) return null;
    const countables = [...version.countables].filter(([key]) => this.#isApproved(version, key));
    const counted = { ...version, countables: new Map(countables) };
    this.#counted.set(id, counted);
    return counted;
  }

  /** Whether an expression uses only values whose calculation in this version is approved. */
  mayCalculate(version: Pick<QuestionnaireVersion, 'definition' | 'formulas'>, expression: string): boolean {
    return formulasUsedIn(version.definition, expression).every((name) => this.#isApproved(version, name));
  }

  #isApproved({ formulas }: Pick<QuestionnaireVersion, 'formulas'>, key: string): boolean {
    const name = key.toLowerCase();
    const hash = formulas.get(name);
    return hash === undefined || this.#approved.has(keyOf({ name, hash }));
  }
}

const keyOf = ({ name, hash }: ApprovedFormulas[number]): string => `${hash} ${name}`;

const storedVersions = new QuestionnaireVersions();

/** All stored versions, with or without interviews. */
export async function loadQuestionnaireVersions(): Promise<QuestionnaireVersions> {
  await storedVersions.update();
  return storedVersions;
}

/** Ids of the versions that counted interviews were held with. */
export function versionsInUse({ version: { codes, values }, state, size }: InterviewColumnStore): string[] {
  const present = new Set<number>();
  for (let row = 0; row < size; row++) if (state[row]! & IN_SAMPLE_BIT) present.add(codes[row]!);
  return [...present].map((code) => values[code]!);
}

export const versionsInUseTableQuery = createStudyTableQuery(
  'versions held',
  ({ interviews }, _: { round?: RoundReference }) => versionsInUse(interviews),
);

/** The versions of one round, or of all rounds. */
export async function sampleVersions(
  selection: Omit<VersionSelection, 'held'>,
  round?: RoundReference,
): Promise<SampledQuestionnaireVersions> {
  const versionIds = await queryStudyTable(versionsInUseTableQuery, round ? { round } : {});
  return new SampledQuestionnaireVersions(await loadQuestionnaireVersions(), {
    held: versionIds,
    ...selection,
  });
}
