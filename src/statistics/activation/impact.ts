/** How activating a version would change the results of existing interviews. */
import { loadStudy } from '../../study/settings/model.ts';
import { PopulationCountModel, type PopulationCountRecord } from '../counts/model.ts';
import { type OutcomeSpec, outcomeCatalogOf } from '../sample/catalog.ts';
import { questionKindOfOutcome } from '../sample/columns.ts';
import { loadQuestionnaireVersions, SampledQuestionnaireVersions } from '../sample/versions.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { IN_SAMPLE_BIT } from '../study-table/interviews.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import type { QuestionnaireVersion } from '../study-table/versions.ts';
import type { ActivationImpact } from './schema.ts';

const MAX_COUNTS = 1_000;

/** The number of counted interviews held with each version, by id. */
export const versionCountsFromStudyTable = createStudyTableQuery(
  'interviews by version',
  ({ interviews }) => {
    const { version, state, size } = interviews;
    const counts = version.values.map(() => 0);
    for (let row = 0; row < size; row++) {
      const code = version.codes[row] ?? 0;
      if ((state[row] ?? 0) & IN_SAMPLE_BIT) counts[code] = (counts[code] ?? 0) + 1;
    }
    return version.values
      .map((id, code): [string, number] => [id, counts[code] ?? 0])
      .filter(([, n]) => n > 0);
  },
);

export async function activationImpact(id: string): Promise<ActivationImpact> {
  const [settings, all, countEntries] = await Promise.all([
    loadStudy(),
    loadQuestionnaireVersions(),
    queryStudyTable(versionCountsFromStudyTable, null),
  ]);
  const interviews = new Map(countEntries);
  const approved = settings.approvedFormulas;
  const now = new SampledQuestionnaireVersions(all, { held: interviews.keys(), approved });
  const next = new SampledQuestionnaireVersions(all, { held: [], questionnaire: id, approved });
  const specs = new Map(outcomeCatalogOf(next, settings).map((one) => [one.name, one]));
  const outcomes =
    interviews.size === 0
      ? []
      : outcomesOf(outcomeCatalogOf(now, settings), { now, next, specs, interviews });
  const lost = await lostCounts(outcomes, { next, specs });
  const before = interviews.size > 0 ? now.leading : null;
  const rules = rulesOf(before, next.leading);
  const needsConfirm = rules.networkSize === 'LOST' || rules.eligibility === 'LOST' || lost.length > 0;
  return { ...rules, outcomes, counts: lost, needsConfirm };
}

function rulesOf(
  before: QuestionnaireVersion | null,
  after: QuestionnaireVersion | null,
): Pick<ActivationImpact, 'networkSize' | 'eligibility'> {
  if (!before || !after) return { networkSize: 'KEPT', eligibility: 'KEPT' };
  const isSame = before.eligibility === after.eligibility;
  return {
    networkSize: before.networkSizeQuestion === after.networkSizeQuestion ? 'KEPT' : 'LOST',
    eligibility: isSame ? 'KEPT' : after.takesPartIf === null ? 'LOST' : 'CHANGED',
  };
}

interface Change {
  now: SampledQuestionnaireVersions;
  next: SampledQuestionnaireVersions;
  /** The next version's outcomes, by name. */
  specs: ReadonlyMap<string, OutcomeSpec>;
  /** Number of interviews by version. */
  interviews: ReadonlyMap<string, number>;
}

function outcomesOf(catalogue: readonly OutcomeSpec[], change: Change): ActivationImpact['outcomes'] {
  return catalogue.flatMap((spec) => {
    if (spec.source.from === 'LOCATION') return [];
    const asking = change.now.included.filter((version) => isAskedIn(spec, version));
    const interviews = asking.reduce((sum, { id }) => sum + (change.interviews.get(id) ?? 0), 0);
    if (interviews === 0) return [];
    const { name, title } = spec;
    return [{ name, title, change: changeOf(spec, asking[0], change.next.leading), interviews }];
  });
}

function isAskedIn({ source, kind }: OutcomeSpec, version: QuestionnaireVersion): boolean {
  if (source.from === 'LOCATION') return true;
  const { countables } = version;
  if (source.from === 'COMPUTED') return namesIn(source.expression).some((name) => hasKey(version, name));
  const countable = countables.get(source.key);
  if (countable?.kind !== questionKindOfOutcome(source, kind)) return false;
  return source.choice === null || countable.choices.some(({ value }) => value === source.choice);
}

/** `before`: the last version that asked it. */
function changeOf(
  { source, kind }: OutcomeSpec,
  before: QuestionnaireVersion | undefined,
  after: QuestionnaireVersion | null,
): ActivationImpact['outcomes'][number]['change'] {
  if (!after) return 'NOT_ASKED';
  if (source.from === 'COMPUTED')
    return namesIn(source.expression).every((name) => hasKey(after, name)) ? 'KEPT' : 'NOT_ASKED';
  if (source.from === 'LOCATION') return 'KEPT';
  const countable = after.countables.get(source.key);
  if (!countable) return 'NOT_ASKED';
  if (countable.kind !== questionKindOfOutcome(source, kind)) return 'KIND';
  if (source.choice !== null)
    return countable.choices.some(({ value }) => value === source.choice) ? 'KEPT' : 'NOT_ASKED';
  const values = (version: QuestionnaireVersion | undefined) =>
    (version?.countables.get(source.key)?.choices ?? []).map(({ value }) => value).sort();
  return JSON.stringify(values(before)) === JSON.stringify(values(after)) ? 'KEPT' : 'CHOICES';
}

/** The names used in an expression, in lower case. */
const namesIn = (expression: string): string[] =>
  [...expression.toLowerCase().matchAll(/\{([^{}.[]*)/g)].map(([, name = '']) => name.trim());

const hasKey = ({ countables, formulas }: QuestionnaireVersion, name: string): boolean =>
  formulas.has(name) || [...countables.keys()].some((key) => key.toLowerCase() === name);

/** Population counts whose outcome is lost, or whose answer will no longer be offered. */
async function lostCounts(
  outcomes: ActivationImpact['outcomes'],
  { next, specs }: Pick<Change, 'next' | 'specs'>,
): Promise<ActivationImpact['counts']> {
  const changes = new Map(outcomes.map(({ name, change }) => [name, change]));
  if (changes.size === 0) return [];
  const counts = await PopulationCountModel.find({ deletedAt: null })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_COUNTS)
    .lean<PopulationCountRecord[]>();
  return counts.flatMap(({ name, outcome, value }) => {
    const change = changes.get(outcome) ?? 'KEPT';
    const { source } = specs.get(outcome) ?? {};
    const isOffered =
      source?.from !== 'ANSWER' ||
      source.choice !== null ||
      next.leading?.countables.get(source.key)?.choices.some((one) => one.value === value);
    const isLost = change === 'NOT_ASKED' || change === 'KIND' || (change === 'CHOICES' && !isOffered);
    return isLost ? [{ name, outcome }] : [];
  });
}
