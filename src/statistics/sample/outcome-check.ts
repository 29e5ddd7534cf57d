/** Checks that the study's own outcomes can be calculated, by name and expression, before they are stored. */
import { type FieldError, fieldError } from '../../platform/http/problems/error-codes.ts';
import { Problem, problem } from '../../platform/http/problems/problem.ts';
import { formulasUsedIn } from '../../platform/lib/text/formulas.ts';
import {
  calculatedNames,
  namesRead,
  UnusableExpression,
} from '../../questionnaires/definition/eligibility.ts';
import { answerKeysOf } from '../../questionnaires/validator/validator.ts';
import type { CheckOutcomes } from '../../study/settings/change.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { byCodePoint } from '../estimators/outcome.ts';
import type { QuestionnaireVersion, QuestionnaireVersions } from '../study-table/versions.ts';
import { outcomeCatalogOf } from './catalog.ts';
import { loadSample } from './load.ts';
import {
  type ApprovedFormulas,
  loadQuestionnaireVersions,
  type SampledQuestionnaireVersions,
  sampleVersions,
} from './versions.ts';

type StudyOutcome = StudyRecord['outcomes'][number];

export const requireValidOutcomes: CheckOutcomes = async ({ outcomes }, before, now) => {
  if (outcomes.length === 0) return { approvedFormulas: [] };
  const all = await loadQuestionnaireVersions();
  const approvedFormulas = formulasOf(outcomes, all);
  const versions = await sampleVersions({ approved: approvedFormulas });
  const usedNames = new Set((await namesUsed(versions)).map((name) => name.toLowerCase()));
  const errors = outcomes.flatMap((one, at) =>
    one.fromQuestionnaire === true
      ? calculatedFaults(one.name, `outcomes.${at}.name`, outcomes.slice(0, at), all)
      : faultsOf(one, `outcomes.${at}`, versions.included, usedNames),
  );
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors });
  await refuseManyLevels({ outcomes, approvedFormulas }, before.outcomes, now);
  return { approvedFormulas };
};

/** All formulas these outcomes use, as calculated by the currently stored versions. */
function formulasOf(outcomes: readonly StudyOutcome[], { all }: QuestionnaireVersions): ApprovedFormulas {
  const usedFormulas = all.flatMap(({ definition, formulas }) =>
    outcomes
      .flatMap((one) =>
        one.fromQuestionnaire === true
          ? [one.name.toLowerCase()]
          : formulasUsedIn(definition, one.expression),
      )
      .flatMap((name) => {
        const hash = formulas.get(name);
        return hash === undefined ? [] : [{ name, hash }];
      }),
  );
  const once = new Map(usedFormulas.map((one) => [`${one.hash} ${one.name}`, one]));
  return [...once.values()].sort((a, b) => byCodePoint(a.name + a.hash, b.name + b.hash));
}

/** Checks an outcome defined in the questionnaire: some version must calculate its value. */
function calculatedFaults(
  name: string,
  path: string,
  earlier: readonly StudyOutcome[],
  { all }: QuestionnaireVersions,
): FieldError[] {
  if (earlier.some((one) => one.name.toLowerCase() === name.toLowerCase()))
    return [fieldError(path, 'OUTCOME_NAME_TAKEN')];
  const isCalculated = all.some(({ formulas }) => formulas.has(name.toLowerCase()));
  return isCalculated ? [] : [fieldError(path, 'NO_CALCULATED_VALUE')];
}

/** Checks against the existing interviews, the only way to know how many distinct values a new expression gives. */
async function refuseManyLevels(
  { outcomes, approvedFormulas }: Pick<StudyRecord, 'outcomes' | 'approvedFormulas'>,
  before: StudyOutcome[],
  now: Date,
): Promise<void> {
  const previousExpressions = new Set(before.map((one) => one.fromQuestionnaire !== true && one.expression));
  const newOutcomes = outcomes.flatMap((one, at) =>
    one.fromQuestionnaire !== true && one.kind === 'CATEGORY' && !previousExpressions.has(one.expression)
      ? [[`outcomes.${at}.expression`, one.name] as const]
      : [],
  );
  if (newOutcomes.length === 0) return;
  try {
    await loadSample({
      window: {},
      zone: 'UTC',
      now,
      outcomes: Object.fromEntries(newOutcomes),
      computed: outcomes,
      approved: approvedFormulas,
    });
  } catch (error) {
    const { errors } = error instanceof Problem && error.name === 'INVALID_QUERY' ? error : {};
    throw errors ? problem('VALIDATION_ERROR', { errors }) : error;
  }
}

/** Columns that sample files have for each person in addition to the outcomes. */
const COLUMNS = ['id', 'wave', 'seed', 'time'];

/**
 * The names of outcomes, and of all questions and calculated values of the questionnaire, whether or not they can be
 * counted.
 */
async function namesUsed(versions: SampledQuestionnaireVersions): Promise<string[]> {
  const outcomes = [...COLUMNS, ...outcomeCatalogOf(versions, { outcomes: [] }).map(({ name }) => name)];
  const keys = versions.included.map(async ({ definition }) => [
    ...((await answerKeysOf(definition)) ?? []),
    ...calculatedNames(definition),
  ]);
  return [...outcomes, ...(await Promise.all(keys)).flat()];
}

function faultsOf(
  { name, expression }: Exclude<StudyOutcome, { fromQuestionnaire: true }>,
  path: string,
  versions: readonly QuestionnaireVersion[],
  usedNames: Set<string>,
): FieldError[] {
  const isTaken = usedNames.has(name.toLowerCase());
  usedNames.add(name.toLowerCase());
  const unfit = expressionFault(expression, `${path}.expression`, versions);
  return [...(isTaken ? [fieldError(`${path}.name`, 'OUTCOME_NAME_TAKEN')] : []), ...(unfit ? [unfit] : [])];
}

/**
 * Checks against the version that fits best. Free-text answers may not be used, because their text would appear as
 * levels.
 */
function expressionFault(
  expression: string,
  path: string,
  versions: readonly QuestionnaireVersion[],
): FieldError | null {
  const faults = versions.map((version) => faultIn(expression, path, version));
  return faults.includes(null) ? null : (faults[0] ?? fieldError(path, 'NONE_ACTIVE'));
}

function faultIn(
  expression: string,
  path: string,
  { definition, countables }: QuestionnaireVersion,
): FieldError | null {
  try {
    const questionKeys = new Set([...countables.keys()].map((key) => key.toLowerCase()));
    const unknown = namesRead(definition, expression).find(({ key }) => !questionKeys.has(key));
    return unknown ? fieldError(path, 'OUTCOME_READS', { name: unknown.name }) : null;
  } catch (error) {
    if (error instanceof UnusableExpression) return { path, ...error.fault };
    throw error;
  }
}
